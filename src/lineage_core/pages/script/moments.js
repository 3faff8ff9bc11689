// Sliders over the history of a graph: what is shown is that of the moment where they stand, which the address holds, too.
const PAUSE = 200;
const STEPS = 1_000;
// More than these stand too close to tell one from the other.
const MOST_MARKS = 100;

export function slideThroughHistory(form, shown) {
  const room = form.querySelector("#sliders");
  const from = Date.parse(room.dataset.from);
  const to = Date.parse(room.dataset.to);
  if (!(to > from)) return;
  room.hidden = false;
  const list = room.querySelector("datalist");
  const moments = list.dataset.moments.split(" ").filter(Boolean).map(Date.parse);
  const scale = new Scale(from, to, moments);
  // Where edges came and went: one sees where to slide to.
  const places = new Set(moments.map((moment) => scale.placeOf(moment)));
  for (const place of places.size <= MOST_MARKS ? places : []) list.appendChild(document.createElement("option")).value = place;
  const sliders = ["at", "compare"].map((name) => new Slider(form, name, scale));
  let waiting = null;
  let asked = null;
  const show = async () => {
    asked?.abort();
    asked = new AbortController();
    const address = new URL(location.href);
    for (const { name } of sliders) {
      const { value } = form.elements[name];
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    address.searchParams.delete("after");
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: asked.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("view");
      const failure = page.querySelector(".failure");
      const view = document.getElementById("view");
      // The page is as high as it was until the next drawing stands, so that nothing jumps.
      view.style.minHeight = `${view.offsetHeight}px`;
      view.replaceChildren(...(found ?? failure?.parentElement ?? page.body).childNodes);
      history.replaceState(null, "", address);
      shown();
      view.style.minHeight = "";
    } catch (error) {
      if (error.name !== "AbortError") location.assign(address);
    }
  };
  form.addEventListener("slid", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  });
}

// A moment as the server reads it: in UTC where no zone is named. NaN for what is none.
function momentOf(text) {
  const [day, time] = text.trim().split(/[T ]/);
  if (!time) return Date.parse(day);
  return Date.parse(`${day}T${time}${/(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(time) ? "" : "Z"}`);
}

// Places of moments on a slider. Half of its length is time, and half is shared by the spans between changes, so that five busy days
// do not vanish in a quiet year.
class Scale {
  constructor(from, to, moments) {
    this.knots = [...new Set([from, ...moments.filter((moment) => moment > from && moment < to), to])].sort((one, other) => one - other);
    const spans = this.knots.length - 1;
    this.places = this.knots.map((moment, index) => (STEPS / 2) * ((moment - from) / (to - from) + index / spans));
  }

  placeOf(moment) {
    return Math.round(between(this.knots, this.places, moment));
  }

  momentOf(place) {
    return Math.round(between(this.places, this.knots, place));
  }
}

function between(from, to, value) {
  const found = from.findIndex((one) => one >= value);
  const next = found < 0 ? from.length - 1 : Math.max(found, 1);
  const share = (value - from[next - 1]) / (from[next] - from[next - 1]);
  return to[next - 1] + Math.min(1, Math.max(0, share)) * (to[next] - to[next - 1]);
}

class Slider {
  constructor(form, name, scale) {
    const field = form.elements[name];
    const slider = form.querySelector(`#slider-${name}`);
    const words = form.querySelector(`#moment-${name}`);
    const written = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    this.name = name;
    slider.max = STEPS;
    const atEnd = name === "at" ? "now" : "nothing";
    const tell = () => {
      const moment = momentOf(field.value);
      // What is no moment is shown as it stands; the page says that it is none.
      words.textContent = Number.isNaN(moment) ? field.value || atEnd : written.format(moment);
      slider.setAttribute("aria-valuetext", words.textContent);
    };
    const place = () => {
      const moment = momentOf(field.value);
      slider.value = Number.isNaN(moment) ? STEPS : scale.placeOf(moment);
      tell();
    };
    place();
    field.addEventListener("input", place);
    slider.addEventListener("input", () => {
      const place = Number(slider.value);
      field.value = place === STEPS ? "" : new Date(scale.momentOf(place)).toISOString();
      tell();
      form.dispatchEvent(new CustomEvent("slid"));
    });
  }
}
