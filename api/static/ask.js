// Sends the question to /ask and shows the answer. Text only ever becomes text nodes, never markup.
"use strict";

const form = document.getElementById("ask");
const reply = document.getElementById("reply");

function element(name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function quotation(citation) {
  const item = element("li");
  item.value = citation.id;
  const before = citation.text.slice(0, citation.start);
  const after = citation.text.slice(citation.end);
  const below = citation.heading[0] === citation.title ? citation.heading.slice(1) : citation.heading;
  item.append(element("strong", [citation.title, ...below].join(" › ")));
  const passage = element("blockquote");
  passage.append(before, element("mark", citation.quote), after);
  item.append(passage);
  return item;
}

// Offsets count code points, JavaScript's strings count UTF-16 units.
function byCodePoints(citation) {
  const points = Array.from(citation.text);
  return { ...citation, start: points.slice(0, citation.start).join("").length, end: points.slice(0, citation.end).join("").length };
}

function show(answer) {
  reply.replaceChildren(element("p", answer.answer, answer.status));
  if (answer.citations.length) {
    const list = element("ol");
    list.append(...answer.citations.map(byCodePoints).map(quotation));
    reply.append(list);
  }
  if (answer.sparql) {
    const details = element("details");
    details.append(element("summary", "SPARQL"), element("pre", answer.sparql));
    reply.append(details);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  reply.replaceChildren(element("p", "Looking…", "waiting"));
  try {
    const response = await fetch("/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ question: form.question.value }),
    });
    const body = await response.json();
    if (response.ok) show(body);
    else reply.replaceChildren(element("p", body.detail, "error"));
  } catch (error) {
    reply.replaceChildren(element("p", "The server can't be reached.", "error"));
  }
});
