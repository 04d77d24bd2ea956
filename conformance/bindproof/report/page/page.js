"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const data = JSON.parse(byId("data").textContent);
  const inputs = { q: byId("q"), chapter: byId("chapter"), level: byId("level"), status: byId("status"), adapter: byId("adapter") };
  const rows = all("tr.row");
  const sections = all("section.divergence");
  const adapters = all(".matrix thead th").slice(2).map((cell) => cell.textContent);
  const PAGE = 100;
  let limit = PAGE;

  // What is searched is made once, when it is first asked for.
  const texts = new Map();
  const textOf = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  let ofRequirement = null;
  const textOfRequirement = (id) => {
    if (ofRequirement === null) {
      ofRequirement = new Map();
      for (const one of sections) {
        const key = one.dataset.requirement;
        ofRequirement.set(key, (ofRequirement.get(key) ?? "") + textOf(one));
      }
    }
    return ofRequirement.get(id) ?? "";
  };

  // Where the reader is: an anchor, and the filters behind a question mark.
  const read = () => {
    const [id, query = ""] = location.hash.slice(1).split("?");
    return { id, query: new URLSearchParams(query) };
  };
  const write = (id) => {
    const query = new URLSearchParams();
    for (const [name, input] of Object.entries(inputs)) if (input.value) query.set(name, input.value);
    const text = query.toString();
    history.replaceState(null, "", `#${id}${text ? `?${text}` : ""}`);
  };

  const words = () => inputs.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  const cellStatus = (row, at) => row.cells[at + 2].textContent.trim();

  const rowFits = (row, wanted) => {
    if (inputs.level.value && row.dataset.level !== inputs.level.value) return false;
    if (inputs.chapter.value && row.dataset.chapter !== inputs.chapter.value) return false;
    const places = adapters.map((_, at) => at).filter((at) => !inputs.adapter.value || adapters[at] === inputs.adapter.value);
    if (inputs.adapter.value && places.every((at) => cellStatus(row, at) === "–")) return false;
    if (inputs.status.value && !places.some((at) => cellStatus(row, at) === inputs.status.value)) return false;
    return wanted.every((word) => textOf(row).includes(word) || textOfRequirement(row.dataset.requirement).includes(word));
  };
  const sectionFits = (one, wanted) =>
    (!inputs.level.value || !one.dataset.level || one.dataset.level === inputs.level.value) &&
    (!inputs.chapter.value || !one.dataset.level || one.dataset.chapter === inputs.chapter.value) &&
    (!inputs.adapter.value || one.dataset.adapter === inputs.adapter.value) &&
    (!inputs.status.value || one.dataset.status === inputs.status.value) &&
    wanted.every((word) => textOf(one).includes(word));

  const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz";
  const kindOf = (sign) => (sign === "." ? "" : data.kinds[SIGNS.indexOf(sign)]);
  const scenarioFits = (row, wanted) => {
    const at = data.adapters.indexOf(inputs.adapter.value);
    if (inputs.adapter.value && (at < 0 || row[3][at] === ".")) return false;
    const kinds = (at < 0 ? [...row[3]] : [row[3][at]]).map(kindOf);
    const text = `${row[0]} ${row[1]} ${row[2]} ${kinds.join(" ")}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const showScenarios = (wanted) => {
    const found = data.rows.filter((row) => scenarioFits(row, wanted));
    const body = byId("scenarios-table").tBodies[0];
    body.replaceChildren(
      ...found.slice(0, limit).map((row) => {
        const line = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = [row[0], row[1], row[2]].filter(Boolean).join(" · ");
        const cells = [...row[3]].map((sign) => {
          const cell = document.createElement("td");
          const kind = kindOf(sign);
          cell.textContent = kind || "–";
          const bad = kind && kind !== "conforms" && kind !== "unsupported" && kind !== "inexpressible";
          cell.className = kind === "" ? "none" : kind.startsWith("known") ? "known" : bad ? "broken" : kind;
          return cell;
        });
        line.append(head, ...cells);
        return line;
      }),
    );
    byId("scenarios-table").hidden = false;
    byId("more").hidden = found.length <= limit;
    const unlisted = data.unlisted ? `; verdicts that are not listed, but in the log: ${data.unlisted}` : "";
    byId("scenarios-count").textContent = `${Math.min(limit, found.length)} of ${found.length} scenarios${unlisted}`;
  };

  const apply = () => {
    const wanted = words();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !rowFits(row, wanted);
      shown += row.hidden ? 0 : 1;
    }
    for (const body of all(".matrix tbody")) body.hidden = ![...body.rows].some((row) => row.classList.contains("row") && !row.hidden);
    let divergences = 0;
    for (const one of sections) {
      one.hidden = !sectionFits(one, wanted);
      divergences += one.hidden ? 0 : 1;
    }
    showScenarios(wanted);
    byId("found").textContent = `${shown} requirements, ${divergences} divergences`;
  };
  const filtered = () => {
    limit = PAGE;
    write(read().id);
    apply();
  };

  const goTo = (id) => {
    const target = id && byId(id);
    for (const one of all(".here")) one.classList.remove("here");
    if (!target) return;
    if (target.hidden) {
      for (const input of Object.values(inputs)) input.value = "";
      write(id);
      apply();
    }
    target.classList.add("here");
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  };
  const arrive = () => {
    const { id, query } = read();
    for (const [name, input] of Object.entries(inputs)) input.value = query.get(name) ?? "";
    apply();
    goTo(id);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) {
      event.preventDefault();
      const id = link.getAttribute("href").slice(1);
      write(id);
      goTo(id);
      return;
    }
    const button = event.target.closest("button.copy");
    if (button) copy(button);
  });
  const copy = async (button) => {
    const source = button.parentElement.querySelector("code,pre");
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
    } catch {
      getSelection().selectAllChildren(source);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "copied" : "press Ctrl-C";
    setTimeout(() => { button.textContent = "copy"; }, 2000);
  };

  const step = (by) => {
    const seen = sections.filter((one) => !one.hidden);
    if (!seen.length) return;
    const at = seen.findIndex((one) => one.classList.contains("here"));
    const next = at < 0 ? (by > 0 ? 0 : seen.length - 1) : Math.max(0, Math.min(seen.length - 1, at + by));
    if (seen[next].id) write(seen[next].id);
    for (const one of all(".here")) one.classList.remove("here");
    seen[next].classList.add("here");
    seen[next].scrollIntoView();
    seen[next].focus({ preventScroll: true });
  };
  const clear = () => {
    for (const input of Object.values(inputs)) input.value = "";
    filtered();
  };
  const theme = () => {
    const root = document.documentElement;
    const dark = root.classList.contains("dark") || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.toggle("dark", !dark);
    root.classList.toggle("light", dark);
    try { localStorage.setItem("bindproof-theme", dark ? "light" : "dark"); } catch { /* kept nowhere, then */ }
  };
  const help = () => {
    byId("keys").hidden = !byId("keys").hidden;
    byId("help").setAttribute("aria-expanded", String(!byId("keys").hidden));
  };
  const KEYS = {
    "/": () => inputs.q.focus(),
    j: () => step(1),
    k: () => step(-1),
    m: () => { write("matrix"); goTo("matrix"); },
    s: () => { write("scenarios"); goTo("scenarios"); },
    t: theme,
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      clear();
      document.activeElement.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const act = KEYS[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  for (const input of Object.values(inputs)) input.addEventListener("input", filtered);
  byId("clear").addEventListener("click", clear);
  byId("theme").addEventListener("click", theme);
  byId("help").addEventListener("click", help);
  byId("more").addEventListener("click", () => {
    limit += 10 * PAGE;
    showScenarios(words());
  });
  addEventListener("hashchange", arrive);
  addEventListener("beforeprint", () => { for (const one of all(".matrix details")) one.open = true; });
  try {
    const kept = localStorage.getItem("bindproof-theme");
    if (kept === "dark" || kept === "light") document.documentElement.classList.add(kept);
  } catch { /* a page that may keep nothing */ }
  arrive();
})();
