// Where an answer fails: names of the knowledge base that look like those of the question.

import { pageOf, names } from "./api.js";
import { h } from "./dom.js";
import { things } from "./network.js";

const COMMON = new Set("a an and are at by did do does for from has have how in is it many much of on or the their them to was were what when where which who whose why with".split(" "));
const MOST = 5;
const ALIKE = 0.6;
const LONGEST = 5;

function grams(word) {
  // Spelling apart: "gpt4" is "GPT-4".
  const padded = ` ${word.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, "")} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
}

function alike(one, other) {
  let same = 0;
  for (const gram of one) if (other.has(gram)) same++;
  return (2 * same) / (one.size + other.size);
}

/** The words of a question that may be names, and those that stand together. */
function phrases(question) {
  const words = question.replace(/[?!.,;:"“”()]/g, " ").split(/\s+/).filter((word) => word.length > 1);
  // Names begin with capitals or hold digits, wherever the question has any such word but its first.
  const written = words.slice(1).some((word) => /[\p{Lu}\d]/u.test(word));
  const found = [];
  for (let from = 0; from < words.length; from++) {
    for (let length = 1; length <= 3 && from + length <= words.length; length++) {
      const part = words.slice(from, from + length);
      if (COMMON.has(part[0].toLowerCase()) || COMMON.has(part.at(-1).toLowerCase())) continue;
      if (!written || (from > 0 && part.every((word) => /[\p{Lu}\d]/u.test(word)))) found.push(part.join(" "));
    }
  }
  return found;
}

/** Names that look like one in a question, the likest first; { iri, label, said, score }. */
export function near(question, all) {
  const wanted = phrases(question).map((said) => ({ said, grams: grams(said) }));
  const found = [];
  for (const { iri, label } of all) {
    if (label.split(" ").length > LONGEST) continue;
    const own = grams(label);
    const best = wanted.map(({ said, grams: g }) => ({ said, score: alike(own, g) })).sort((a, b) => b.score - a.score)[0];
    if (best?.score >= ALIKE) found.push({ iri, label, ...best });
  }
  return found.sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1)).slice(0, MOST);
}

/** Offers names that look alike: to read about, and to ask the same of. */
export async function nearNames(reply) {
  const [all, known] = await Promise.all([things().catch(() => []), names()]);
  const found = near(reply.question, all);
  if (!found.length) return null;
  return h("section", { class: "near", "aria-label": "Names that look alike" }, h("h3", null, "Did you mean"), h("ul", { class: "examples left" }, found.map((thing) => {
    const again = reply.question.replace(thing.said, thing.label);
    const address = pageOf(thing.iri, known) ?? "/browse";
    if (again === reply.question) return h("li", null, h("a", { class: "button example", href: address }, thing.label));
    return h("li", null, h("button", { type: "button", class: "example again-ask", "data-question": again }, again));
  })));
}
