// Asking: a thread of questions and their answers, which stays while people look at other views.

import { ask, getJson, select } from "./api.js";
import { answerView } from "./answer.js";
import { brief, failure, h, plural, say, svg, titled } from "./dom.js";

const thread = h("div", { class: "thread" });
const turns = [];
let under = null;

export async function askView(view) {
  const input = h("input", { id: "question", name: "question", required: true, maxlength: 2000, autocomplete: "off", enterkeyhint: "send", "aria-label": "Question" });
  const form = h("form", { class: "composer" }, input, h("button", { class: "primary" }, "Ask"));
  const start = h("div", { class: "start" });
  const again = h("button", { type: "button", class: "small quiet again", title: "New thread" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M12 5v14M5 12h14" })), h("span", null, "New thread"));
  const title = h("h1", { class: "unseen" }, "Questions and answers");
  const page = h("div", { class: "page asking" }, start, title, thread, h("div", { class: "dock" }, form, again));
  const settle = () => {
    page.classList.toggle("fresh", !thread.children.length);
    again.hidden = start.hidden = !thread.children.length;
    start.hidden = !again.hidden;
    title.hidden = again.hidden;
    input.placeholder = again.hidden ? "Ask the documents a question" : "Ask a follow-up";
  };
  const put = (question) => {
    input.value = "";
    const done = turn(question);
    settle();
    return done;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = input.value.trim();
    if (question) put(question);
  });
  again.addEventListener("click", () => {
    under?.abort();
    turns.length = 0;
    thread.replaceChildren();
    history.replaceState(null, "", "/");
    settle();
    input.focus();
  });
  settle();
  view.replaceChildren(page);
  input.focus({ preventScroll: true });
  const asked = new URLSearchParams(location.search).get("q");
  if (asked && turns.at(-1)?.question !== asked) put(asked);
  await welcome(start, put);
}

async function welcome(start, put) {
  const lead = h("p", { class: "lead" }, " ");
  const list = h("ul", { class: "examples", "aria-label": "Examples" });
  start.replaceChildren(h("h1", null, "Ask your documents"), lead, list);
  try {
    const [counts] = await select(`SELECT ?documents ?claims { { SELECT (COUNT(*) AS ?documents) { ?d a kg:Document } } { SELECT (COUNT(*) AS ?claims) { ?c a kg:Claim } } }`);
    lead.textContent = `${plural(Number(counts.claims.value), "fact")} from ${plural(Number(counts.documents.value), "document")}. Every answer shows who says so.`;
    const { questions } = await getJson("/examples");
    for (const question of questions) {
      const button = h("button", { type: "button", class: "example" }, question);
      button.addEventListener("click", () => put(question));
      list.append(h("li", null, button));
    }
  } catch (error) {
    lead.replaceWith(failure(error));
  }
}

/** What was found first, shown until the answer is there. */
function nearest(passages) {
  return h("ul", { class: "glimpses", "aria-label": "Passages that are being read" }, passages.map((passage) => h("li", null,
    h("span", { class: "source-place" }, [...new Set([titled(passage.title), ...passage.heading])].join(" › ")), h("span", { class: "excerpt" }, brief(passage.quote, 140)))));
}

async function turn(question) {
  under?.abort();
  under = new AbortController();
  const { signal } = under;
  const state = h("p", { class: "working", role: "status" }, h("i", { class: "spinner" }), h("span", null, "Looking for what the question names…"));
  const body = h("div", { class: "turn-body" }, state);
  const section = h("article", { class: "turn" }, h("h2", null, question), body);
  thread.append(section);
  // The first needs no room behind it: it is at the top already.
  section.classList.toggle("later", thread.children.length > 1);
  section.scrollIntoView({ block: "start" });
  history.replaceState(null, "", `/?q=${encodeURIComponent(question)}`);
  const entry = { question, answer: "" };
  const before = turns.slice(-10).map(({ question: q, answer }) => ({ question: q, answer }));
  turns.push(entry);
  let citations = 0;
  try {
    const reply = await ask(question, before, (name, data) => {
      if (name === "found") body.replaceChildren(state, nearest(data.passages));
      if (name === "judged") state.lastChild.textContent = data.status === "answered" ? "Asking the graph…" : "Nothing says it; looking for what is near…";
      if (name === "sparql") state.lastChild.textContent = "Reading the rows…";
      if (name === "citation") state.lastChild.textContent = `${plural(++citations, "source")}…`;
    }, signal);
    entry.answer = reply.answer;
    body.replaceChildren(await answerView(reply));
    body.querySelectorAll(".again-ask").forEach((button) => button.addEventListener("click", () => turn(button.dataset.question)));
    say(reply.answer);
  } catch (error) {
    if (error.name === "AbortError") section.remove();
    else body.replaceChildren(failure(error));
    turns.splice(turns.indexOf(entry), 1);
  }
}
