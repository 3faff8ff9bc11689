// What pages do beyond HTML: times in the reader's zone, answers while one types, and the drawing of a graph. All of it stands on the page without.
import { drawGraph } from "./graph.js";
import { slideThroughHistory } from "./moments.js";
import { answerWhileTyping } from "./search.js";

function showLocalTimes() {
  const written = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = written.format(new Date(time.dateTime));
  }
  for (const title of document.querySelectorAll("title[data-at]")) {
    title.textContent = `${title.dataset.words}, ${written.format(new Date(title.dataset.at))}`;
  }
}

function drawIfThere() {
  const figure = document.getElementById("graph");
  if (figure) drawGraph(figure, JSON.parse(document.getElementById("graph-data").textContent));
}

showLocalTimes();
document.addEventListener("answered", showLocalTimes);
document.querySelectorAll("form[data-answers]").forEach(answerWhileTyping);
drawIfThere();
const asked = document.getElementById("history");
if (asked) {
  slideThroughHistory(asked, () => {
    drawIfThere();
    showLocalTimes();
  });
}
