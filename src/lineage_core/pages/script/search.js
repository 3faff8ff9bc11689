// Answers a search while it is typed: what the page of the search would show, put where this page has room for it.
const PAUSE = 150;

export function answerWhileTyping(form) {
  const room = document.getElementById(form.dataset.answers);
  const suggests = room.hidden;
  let asked = null;
  let waiting = null;
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    try {
      const answer = await fetch(suggests ? `${address}&limit=8` : address, { headers: { Accept: "text/html" }, signal: asked.signal });
      // Nothing of what was parsed runs, and it is put in place as it was escaped.
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("found") ?? page.querySelector(".failure");
      if (suggests) for (const link of found?.querySelectorAll("a[href*='limit=']") ?? []) link.href = withoutLimit(link.href);
      room.replaceChildren(...(found ? found.childNodes : []));
      room.hidden = suggests && !form.elements.q.value.trim();
      if (!suggests) history.replaceState(null, "", address);
      room.dispatchEvent(new CustomEvent("answered", { bubbles: true }));
    } catch (error) {
      if (error.name !== "AbortError") room.hidden = suggests;
    }
  };
  // A part of the key of a facet is none: it is asked for once it stands there.
  const isAskedWhileTyped = (field) => field.name !== "facet";
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (isAskedWhileTyped(event.target)) waiting = setTimeout(ask, PAUSE);
  });
  form.addEventListener("change", (event) => {
    if (!isAskedWhileTyped(event.target)) ask();
  });
  if (suggests) closeWhenLeft(form, room);
}

function closeWhenLeft(form, room) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || room.hidden) return;
    // The first press closes the answers, the next one empties the field.
    event.preventDefault();
    // Who was in the answers is in the field again, and not at the beginning of the page.
    form.elements.q.focus();
    room.hidden = true;
  });
  form.addEventListener("keydown", (event) => goThroughAnswers(event, form, room));
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) room.hidden = true;
  });
  // A link in it is pressed before the field is left.
  room.addEventListener("mousedown", (event) => event.preventDefault());
}

// Down leads from the field into the answers and on, up leads back.
function goThroughAnswers(event, form, room) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!way || room.hidden) return;
  const stops = [form.elements.q, ...room.querySelectorAll("a")];
  const next = stops[stops.indexOf(document.activeElement) + way];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// Of the few that are suggested; the page itself shows as many as it does.
function withoutLimit(address) {
  const to = new URL(address);
  to.searchParams.delete("limit");
  return to;
}
