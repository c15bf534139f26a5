// The author panel's page. It shows what `view.py` says and sends what people do to `actions.py`; it decides nothing itself.
// Rule: every text goes in as a text node. No markup is ever made of data, and nothing is loaded from anywhere.

const ROW = 62; // px, the height of a row of the list
const TWICE = 600; // ms in which a second press is of the same mind as the first
const DARK = matchMedia("(prefers-color-scheme: dark)");
const TYPING = 150; // ms of silence after which typing is sent
const PATIENCE = 8000; // ms after which a kernel that says nothing is called silent

const h = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "class") node.className = value;
    else if (name === "value") node.value = value;
    else if (name === "checked") node.checked = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(4)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
};

// What moves a cursor, turns text around or hides in it, shown instead of obeyed; `reporting.passages.visible` in Python.
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/g;
const visible = (text) => String(text).replace(ACTIVE, (sign) => `⟦U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`);

const STATE_SIGN = { verified: "✓", due: "◷", changed: "↻", unverified: "○", broken: "✗", deleted: "⌫" };
const SEVERITY_SIGN = { error: "✗", warning: "▲", note: "·" };
const MARK_SIGN = { p: "✓", f: "✗", e: "–" };
const MORE_FIELDS = [
  ["kind", "choice", ["answer", "decline", "forbidden"]],
  ["decline_type", "choice", ["", "ambiguous", "unanswerable"]],
  ["split", "choice", ["", "dev", "test"]],
  ["role", "line"],
  ["region", "line"],
  ["tags", "chips"],
  ["expected.answer", "text"],
  ["context", "text"],
  ["turns", "chips"],
  ["traps", "chips"],
  ["note", "text"],
  ["expected.sql.golden", "code"],
  ["expected.sql.check", "code"],
  ["expected.sql.tolerance", "line"],
  ["expected.sql.absolute", "line"],
  ["expected.sql.order_matters", "flag"],
];
const LISTS = ["expected.must_include", "expected.must_not_include"];
const LEFT = "golden-left"; // in the browser: the sessions whose page is gone
const UNSENT = "golden-unsent"; // in the browser, by file: what was typed and not acknowledged
const MOST_LEFT = 50;
const TEXT_FIELDS = "input:not([type=checkbox]):not([type=radio]), textarea, [contenteditable]";

// What the browser keeps beyond a page; nothing where it keeps nothing.
const kept = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const keep = (name, value) => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    /* a browser that keeps nothing: drafts on the server are left */
  }
};

const TIMES = new Set(["at", "due", "withdrawn", "lapsed"]); // gaps that hold a day, or a time in UTC
const NUMBERS = new Set(["seconds", "value"]);
const WIDE = new Set(["expected.answer", "context", "turns", "traps", "note", "tags", "expected.sql.golden", "expected.sql.check"]);

class App {
  constructor(model, el) {
    this.model = model;
    this.words = {};
    this.rows = {};
    this.list = { keys: [], counts: {}, filter: {}, domains: [] };
    this.head = null;
    this.editor = { key: null };
    this.derived = {};
    this.preview = { attempts: [], table: [] };
    this.history = { results: [] };
    this.dialog = null;
    this.notice = null;
    this.answer = null;
    this.seq = 0;
    this.waiting = new Map();
    this.typing = new Map();
    this.typed = new Map(); // by field: what was typed and is not acknowledged yet
    this.drawn = new Map();
    this.cards = new Map();
    this.uid = `gw${Math.random().toString(36).slice(2, 8)}`;
    this.times = 3;
    this.accepting = null;
    this.begun = null; // the last new item that was asked for: when, and by which message
    this.beginning = false; // a new item is on its way, and writing goes on in its question
    this.editing = null;
    this.moreOpen = false;
    this.pending = new Map(); // by field: how to add the phrase that is being typed
    this.added = new Map(); // phrases that were sent and are not acknowledged yet
    this.root = h("div", { class: "gw", tabindex: "-1", "data-lm-suppress-shortcuts": "true", lang: "id" });
    this.shell = h("div", { class: "gw-shell" });
    this.root.append(this.shell);
    el.append(this.root);
    this.theme = model.get("theme") || "auto";
    this.applyTheme();
    this.stops = [];
    this.listen(window, "focus", () => !this.dialog && this.head && this.send("look"));
    this.listen(document, "selectionchange", () => this.offerPick());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.listen(document, "keydown", (event) => this.keyOutside(event));
    this.root.addEventListener("pointerdown", () => (this.pressed = true));
    for (const name of ["pointerdown", "focusin"]) this.root.addEventListener(name, () => this.beCurrent());
    this.listen(window, "beforeunload", (event) => this.beforeLeaving(event));
    this.listen(window, "pagehide", () => this.leaving());
    this.listen(window, "pageshow", (event) => event.persisted && this.ready());
    for (const name of ["pointerup", "pointercancel", "keydown", "blur"]) this.listen(window, name, () => this.release());
    this.listen(window, "change", (event) => event.target.matches?.("select") && this.release()); // its list swallows the pointer
    this.listen(window, "pointermove", (event) => !event.buttons && this.release());
    const watch = new MutationObserver(() => this.applyTheme());
    watch.observe(document.body, { attributes: true });
    this.stops.push(() => watch.disconnect());
    this.listen(DARK, "change", () => this.applyTheme());
    this.sizes = new ResizeObserver(() => this.head && this.rowsBox && ((this.seen = null), this.drawRows(true)));
    this.stops.push(() => this.sizes.disconnect());
    const clock = setInterval(() => this.checkKernel(), 1000);
    this.stops.push(() => clearInterval(clock));
    const heard = (patch) => this.take(patch);
    model.on("msg:custom", heard);
    this.stops.push(() => model.off("msg:custom", heard));
    this.shell.append(h("p", { class: "gw-starting", role: "status" }, "Golden …"));
    this.ready();
  }

  listen(target, event, handler) {
    target.addEventListener(event, handler);
    this.stops.push(() => target.removeEventListener(event, handler));
  }

  stop() {
    this.send("leave", { view: this.uid });
    for (const stop of this.stops) stop();
  }

  // --- coming and going ---

  ready() {
    const left = kept(LEFT, []).filter((session) => session !== this.head?.session);
    keep(LEFT, left);
    this.send("ready", { view: this.uid, left });
  }

  get inLab() {
    return !!this.root.closest(".jp-NotebookPanel");
  }

  hasUnsaved() {
    const typing = this.typing.size > 0 || [...this.pending.values()].some((one) => one.text()) || !!this.editing;
    return typing || (this.head?.unsaved.length ?? 0) > 0;
  }

  beforeLeaving(event) {
    if (!this.hasUnsaved()) return;
    this.commit();
    event.preventDefault();
    event.returnValue = "";
  }

  leaving() {
    if (this.head?.session) keep(LEFT, [...kept(LEFT, []), this.head.session].slice(-MOST_LEFT));
    this.send("leave", { view: this.uid });
  }

  // What was typed stays in the browser until the kernel has it.
  keepUnsent() {
    const name = `${UNSENT}:${this.head?.path}`;
    const typed = [...this.typed].map(([path, { key, value, was }]) => ({ key, path, value, was }));
    typed.push(...this.added.values());
    for (const [path, one] of this.pending) if (one.text()) typed.push({ key: one.key, path, add: one.text() });
    const known = typed.length > 0 || this.unsent;
    this.unsent = typed.length > 0;
    if (known && this.head) keep(name, typed.length ? typed : null);
  }

  recoverUnsent() {
    const typed = kept(`${UNSENT}:${this.head.path}`, []);
    keep(`${UNSENT}:${this.head.path}`, null);
    if (typed.length) this.send("recover", { typed });
  }

  // --- talking with the kernel ---

  send(action, more = {}) {
    if (action !== "edit") this.commit();
    const seq = ++this.seq;
    if (!this.waiting.size) this.silentSince = Date.now();
    this.waiting.set(seq, Date.now());
    try {
      this.model.send({ action, seq, ...more });
    } catch {
      this.silentSince = 0;
      this.checkKernel();
    }
    return seq;
  }

  // The form holds what was typed from the first letter on; an answer to an older message must not take it back.
  edit(path, value) {
    const { key } = this.editor;
    const before = this.typed.get(path);
    const was = before?.key === key ? before.was : this.editor.form[path];
    this.editor.form[path] = value;
    this.typed.set(path, { key, value, was, seq: Infinity });
    this.keepUnsent();
    return () => this.typed.set(path, { key, value, was, seq: this.send("edit", { key, path, value, where: "editor" }) });
  }

  type(path, value) {
    clearTimeout(this.typing.get(path)?.timer);
    const send = this.edit(path, value);
    const go = () => {
      this.typing.delete(path);
      send();
    };
    this.typing.set(path, { timer: setTimeout(go, TYPING), go });
    this.drawDirty();
  }

  flush() {
    for (const { timer, go } of [...this.typing.values()]) {
      clearTimeout(timer);
      go();
    }
  }

  // Whatever is being typed belongs to what is asked for next: it is sent first, so that a dialog shows it.
  commit() {
    if (this.committing) return;
    this.committing = true;
    this.flush();
    this.finishEditing?.();
    for (const { add } of [...this.pending.values()]) add();
    this.committing = false;
  }

  checkKernel() {
    const oldest = Math.min(...this.waiting.values());
    const lost = this.waiting.size > 0 && Date.now() - oldest > PATIENCE;
    if (lost !== !!this.lost) {
      this.lost = lost;
      this.drawBanner();
    }
  }

  take(patch) {
    for (const seq of [...this.waiting.keys()]) if (patch.ack && seq <= patch.ack) this.waiting.delete(seq);
    for (const [path, { seq }] of [...this.typed]) if (patch.ack && seq <= patch.ack) this.typed.delete(path);
    for (const seq of [...this.added.keys()]) if (patch.ack && seq <= patch.ack) this.added.delete(seq);
    if (patch.ack) this.keepUnsent();
    if (!this.head && !patch.words) {
      if (patch.notice) this.shell.replaceChildren(h("p", { class: "gw-starting gw-pre", role: "alert" }, `✗ ${patch.notice.text}`));
      return;
    }
    const first = !this.head && patch.words;
    if (patch.words) {
      this.words = patch.words;
      this.drawn.clear();
      this.cards.clear();
    }
    if (patch.head) this.head = patch.head;
    if (patch.list) {
      const { rows, changed, ...list } = patch.list;
      if (rows) this.rows = rows;
      if (changed) Object.assign(this.rows, changed);
      if (list.keys && list.keys.length !== this.list.keys.length) this.seen = null;
      Object.assign(this.list, list);
    }
    if (patch.editor) {
      if (patch.editor.key !== this.editor.key) {
        this.answer = null;
        this.accepting = this.editing = null;
      }
      this.editor = patch.editor;
      this.derived = patch.editor;
      for (const [path, { key, value }] of this.typed) if (key === this.editor.key) this.editor.form[path] = value;
    }
    if (patch.derived && patch.derived.for === this.editor.key) this.derived = { ...this.derived, ...patch.derived };
    if (patch.form) Object.assign(this.editor.form, patch.form);
    if (patch.preview && patch.preview.key === this.editor.key) this.preview = patch.preview;
    if (patch.history) this.history = patch.history;
    if ("answer" in patch) this.answer = patch.answer;
    if ("dialog" in patch) this.dialog = patch.dialog;
    if (patch.notice) this.notice = patch.notice;
    else if (Object.keys(patch).length > 1 && patch.ack && !this.isStanding(patch)) this.notice = null;
    if (patch.words) this.build(first);
    this.checkKernel();
    this.draw();
    if (first) this.recoverUnsent();
  }

  // Whether the notice outlives a message: what could not be saved stays in sight while somebody types on.
  isStanding(patch) {
    return this.notice?.tone === "error" && this.notice.where === "footer" && "derived" in patch && !("editor" in patch);
  }

  t(name, gaps = {}) {
    let text = this.words[name];
    if (text === undefined) return name;
    for (const [gap, value] of Object.entries(gaps)) text = text.split(`{${gap}}`).join(this.told(gap, value));
    return text;
  }

  told(gap, value) {
    if (TIMES.has(gap)) return this.when(value);
    return NUMBERS.has(gap) && typeof value === "number" ? value.toLocaleString(this.locale()) : String(value);
  }

  // A day as it is written, a time in the zone of who looks at it; anything else stays as it is.
  when(value) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
    if (!isDay && !/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(value)) return String(value);
    const at = new Date(value);
    if (isNaN(at)) return String(value);
    return isDay ? at.toLocaleDateString(this.locale(), { dateStyle: "long", timeZone: "UTC" }) : at.toLocaleString(this.locale(), { dateStyle: "medium", timeStyle: "short" });
  }

  locale() {
    return this.head?.language === "en" ? "en-GB" : "id-ID";
  }

  // --- drawing ---

  build() {
    this.root.setAttribute("lang", this.head.language);
    const part = (name, tag = "div", props = {}) => (this[name] = h(tag, { class: `gw-${name}`, ...props }));
    this.search = h("input", {
      type: "search",
      class: "gw-search",
      placeholder: this.t("search"),
      "aria-label": this.t("search"),
      value: this.list.filter.text || "",
      on: { input: () => this.narrowLater() },
    });
    this.filters = h("div", { class: "gw-filters" });
    this.rowsBox = h("div", {
      class: "gw-rows",
      role: "listbox",
      tabindex: "0",
      "aria-label": this.t("items"),
      on: { scroll: () => this.drawRows(), keydown: (event) => this.walk(event) },
    });
    this.spacer = h("div", { class: "gw-spacer", role: "presentation" });
    this.rowsBox.append(this.spacer);
    this.form = h("div", { class: "gw-form" });
    this.formKey = undefined;
    this.shell.replaceChildren(
      part("bar", "header"),
      part("banner", "div", { role: "status", "aria-live": "polite" }),
      h(
        "div",
        { class: "gw-columns" },
        h("nav", { class: "gw-list", "aria-label": this.t("items") }, h("div", { class: "gw-search-box" }, this.search), this.filters, this.rowsBox, part("listfoot")),
        h("main", { class: "gw-editor", "aria-label": this.t("editor") }, part("title"), this.form),
        h("aside", { class: "gw-side", "aria-label": this.t("try_title") }, part("ask"), part("cardsbox", "div", { "aria-live": "polite" }), part("table"), part("flips"), part("strength"), part("past"), part("review")),
      ),
      part("foot", "footer"),
      part("picker", "div", { role: "toolbar", hidden: true }),
      part("modal", "dialog", { on: { cancel: (event) => (event.preventDefault(), this.send("dismiss")) } }),
    );
    this.modalOpen = false;
    this.sizes.disconnect();
    this.sizes.observe(this.rowsBox);
  }

  // While a button is held down nothing is drawn: a click on a control that was replaced meanwhile would be lost.
  release() {
    if (!this.pressed) return;
    this.pressed = false;
    setTimeout(() => this.stale && this.draw(), 0); // after the click
  }

  draw() {
    this.stale = this.pressed;
    if (!this.head || this.pressed) return;
    this.root.classList.toggle("gw-first", this.head.first_step);
    this.drawBar();
    this.drawBanner();
    this.drawFilters();
    this.drawRows(true);
    this.drawTitle();
    this.drawForm();
    this.drawDerived();
    this.drawPreview();
    this.drawSide();
    this.drawFoot();
    this.drawDialog();
    const again = this.refocus && !this.editing && this.named(this.form, this.refocus);
    if (again) {
      this.refocus = null;
      again.focus({ preventScroll: true });
    }
  }

  named(box, name) {
    return [...box.querySelectorAll("[data-k]")].find((node) => node.getAttribute("data-k") === name);
  }

  // Put new children into a box when what they show has changed; the focus stays where it was.
  put(box, data, make) {
    const said = JSON.stringify(data);
    if (this.drawn.get(box) === said) return false;
    this.drawn.set(box, said);
    const active = this.root.ownerDocument.activeElement;
    const name = active && box.contains(active) ? active.getAttribute("data-k") : null;
    const isText = name && active.matches("input[type=text],textarea");
    const range = isText ? [active.selectionStart, active.selectionEnd] : null;
    const typed = isText ? active.value : null;
    box.replaceChildren(...[make()].flat(4).filter(Boolean));
    if (!name) return true;
    const again = this.named(box, name) || box.closest(".gw-field")?.querySelector(".gw-add, .gw-input");
    if (!again) return true;
    if (again.getAttribute("data-k") !== name) {
      again.focus({ preventScroll: true });
      return true;
    }
    if (typed !== null) again.value = typed;
    again.focus({ preventScroll: true });
    if (range && again.setSelectionRange) again.setSelectionRange(...range);
    return true;
  }

  button(name, label, action, props = {}) {
    const { class: kind = "", ...more } = props;
    return h("button", { type: "button", class: `gw-button ${kind}`, "data-k": name, on: { click: action }, ...more }, label);
  }

  select(name, value, options, change, label) {
    const node = h("select", { class: "gw-select", "data-k": name, "aria-label": label, on: { change: () => change(node.value) } });
    for (const [key, text] of options) node.append(h("option", { value: key, selected: key === value }, text));
    node.value = value;
    return node;
  }

  note(where) {
    if (!this.notice || this.notice.where !== where) return null;
    const { tone, text } = this.notice;
    const sign = { error: "✗", warn: "▲", ok: "✓" }[tone] || "";
    return h(
      "div",
      { class: `gw-notice gw-${tone}`, role: tone === "error" ? "alert" : "status" },
      h("span", { class: "gw-sign", "aria-hidden": "true" }, sign),
      h("span", { class: "gw-notice-text" }, text),
      this.button(`close-${where}`, "×", () => ((this.notice = null), this.draw()), { class: "gw-icon", "aria-label": this.t("close") }),
    );
  }

  drawBar() {
    const { head } = this;
    this.put(this.bar, [head, this.theme], () => [
      h("strong", { class: "gw-brand" }, "Golden"),
      h("span", { class: "gw-pill gw-path", title: head.path }, head.name),
      head.new_file && h("span", { class: "gw-pill gw-pill-new", title: this.t("new_file_note", { path: head.path }) }, h("span", { "aria-hidden": "true" }, "✳ "), this.t("new_file")),
      h("span", { class: "gw-pill gw-count" }, this.t("count", { items: head.items, verified: head.verified })),
      h(
        "span",
        { class: `gw-pill ${head.demo ? "gw-pill-demo" : ""}`, title: head.demo ? this.t("demo_note") : "" },
        head.demo ? this.t("demo_chatbot") : this.t("chatbot", { name: head.chatbot }),
        " · ",
        head.judge ? this.t("judge_is", { name: head.judge_demo ? this.t("demo_name") : head.judge }) : this.t("judge_off_short"),
      ),
      h("span", { class: "gw-grow" }),
      this.select("language", head.language, [["id", "Bahasa Indonesia"], ["en", "English"]], (value) => this.send("language", { language: value }), this.t("language")),
      this.select("theme", this.theme, ["auto", "light", "dark"].map((name) => [name, this.t(`theme_${name}`)]), (value) => this.setTheme(value), this.t("theme")),
    ]);
  }

  drawBanner() {
    if (!this.banner) return;
    const { head } = this;
    const parts = [this.lost, head.restored_from, head.offered, head.taken_by, head.draft_problem, head.problems, head.conflicts];
    this.put(this.banner, parts, () => {
      const lines = [];
      const strip = (tone, sign, text, ...buttons) => lines.push(h("div", { class: `gw-strip gw-${tone}`, role: tone === "error" ? "alert" : null }, h("span", { class: "gw-sign", "aria-hidden": "true" }, sign), h("span", {}, text), buttons));
      const whose = (one) => ({ ...one, who: one.who || this.t("somebody"), names: one.names.join(", ") });
      if (this.lost) strip("error", "✗", this.t(this.inLab ? "kernel_silent_cell" : "kernel_silent"));
      for (const one of head.restored_from) strip("warn", "↺", this.t("restored_whose", whose(one)));
      if (head.restored_from.length) lines.at(-1).append(this.button("restored-close", this.t("good"), () => this.send("dismiss"), { class: "gw-small" }));
      if (head.taken_by !== null) strip("warn", "↺", this.t("taken_away", { who: head.taken_by || this.t("somebody") }), this.button("taken-close", this.t("good"), () => this.send("dismiss"), { class: "gw-small" }));
      for (const one of head.offered)
        strip(
          "warn",
          "↺",
          this.t(one.open ? "offered_open" : "offered_left", whose(one)),
          this.button(`take-${one.session}`, this.t("take_over"), () => this.send("take_over", { session: one.session }), { class: "gw-small" }),
          this.button(`let-${one.session}`, this.t("let_be"), () => this.send("let_be", { session: one.session }), { class: "gw-small" }),
        );
      if (head.draft_problem) strip("error", "✗", this.t("drafts_not_kept", { error: head.draft_problem }));
      for (const problem of head.problems.slice(0, 3)) strip("error", "✗", problem);
      return lines;
    });
  }

  // --- the list ---

  narrowLater() {
    clearTimeout(this.narrowing);
    this.narrowing = setTimeout(() => this.send("narrow", { text: this.search.value, where: "list" }), TYPING);
  }

  clear() {
    this.search.value = "";
    this.send("narrow", { text: "", domain: "", surface: "", state: "", where: "list" });
    this.search.focus();
  }

  drawFilters() {
    const { filter, counts, domains } = this.list;
    this.put(this.filters, [filter.domain, filter.surface, filter.state, counts, domains], () => [
      h(
        "div",
        { class: "gw-selects" },
        this.select("f-domain", filter.domain, [["", this.t("all_domains")], ...domains.map((name) => [name, name])], (value) => this.send("narrow", { domain: value }), this.t("field_domain")),
        this.select("f-surface", filter.surface, [["", this.t("all_surfaces")], ["public", this.t("choice_public")], ["internal", this.t("choice_internal")]], (value) => this.send("narrow", { surface: value }), this.t("field_surface")),
      ),
      h(
        "div",
        { class: "gw-states", role: "group", "aria-label": this.t("state") },
        Object.entries(counts)
          .filter(([name, count]) => count || name === filter.state)
          .map(([name, count]) =>
            this.button(`s-${name}`, `${this.t(`filter_${name}`)} (${count})`, () => this.send("narrow", { state: filter.state === name ? "" : name }), {
              class: `gw-chipbutton ${filter.state === name ? "gw-on" : ""}`,
              "aria-pressed": String(filter.state === name),
            }),
          ),
      ),
    ]);
    this.put(this.listfoot, [this.list.keys.length, Object.keys(this.rows).length], () => [
      this.newButton("new", "gw-wide"),
      h("span", { class: "gw-muted", role: "status" }, this.t("shown", { shown: this.list.keys.length, items: this.head.items })),
    ]);
  }

  newButton(name, kind) {
    return this.button(name, `+ ${this.t("new_item")}`, () => this.begin(() => this.send("new")), { class: kind });
  }

  // A button that is pressed twice in a row does its work once.
  begin(send) {
    if (this.waiting.has(this.begun?.seq) || Date.now() - this.begun?.at < TWICE) return;
    this.beginning = true;
    this.begun = { seq: send(), at: Date.now() };
  }

  drawRows(changed = false) {
    const { keys } = this.list;
    const box = this.rowsBox;
    this.spacer.style.height = `${keys.length * ROW}px`;
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 4);
    const to = Math.min(keys.length, from + Math.ceil((box.clientHeight || 600) / ROW) + 9);
    const open = this.head.open;
    const data = [from, to, open, keys.slice(from, to).map((key) => this.rows[key]), this.head.language, this.head.first_step];
    const said = JSON.stringify(data);
    if (this.drawn.get(box) !== said) {
      this.drawn.set(box, said);
      this.spacer.replaceChildren(...keys.slice(from, to).map((key, place) => this.row(key, from + place)));
      if (!keys.length && this.head.items) this.spacer.append(h("p", { class: "gw-muted gw-none" }, this.t("nothing_found"), " ", this.button("clear", this.t("clear_filters"), () => this.clear(), { class: "gw-link" })));
      if (this.head.first_step) this.spacer.append(h("p", { class: "gw-muted gw-none" }, this.t("first_list")));
      box.setAttribute("aria-activedescendant", keys.includes(open) ? `${this.uid}-row-${keys.indexOf(open)}` : "");
    }
    if (changed && open !== this.seen && keys.includes(open)) {
      this.seen = open;
      const top = keys.indexOf(open) * ROW;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
    }
  }

  row(key, index) {
    const row = this.rows[key];
    const hazards = row.errors + row.warnings;
    const last = (row.marks || "").slice(-1);
    return h(
      "div",
      {
        class: `gw-row ${key === this.head.open ? "gw-on" : ""} ${row.state === "deleted" ? "gw-gone" : ""}`,
        role: "option",
        id: `${this.uid}-row-${index}`,
        "aria-selected": String(key === this.head.open),
        style: `top:${index * ROW}px;height:${ROW - 4}px`,
        on: { click: () => this.open(key) },
      },
      h(
        "div",
        { class: "gw-row-top" },
        row.draft && h("span", { class: "gw-dot", title: this.t("unsaved_here"), "aria-label": this.t("unsaved_here") }, "●"),
        h("span", { class: "gw-row-id", title: row.id }, row.id || this.t("new_item")),
        last ? h("span", { class: `gw-last gw-mark-${last}`, title: this.t(`last_${last}`) }, `${MARK_SIGN[last]} `, this.marks(row.marks, true)) : null,
        hazards > 0 && h("span", { class: `gw-badge ${row.errors ? "gw-error" : "gw-warn"}`, title: this.t("hazards_count", { count: hazards }) }, `${row.errors ? "✗" : "▲"} ${hazards}`),
      ),
      h(
        "div",
        { class: "gw-row-bottom" },
        h("span", { class: "gw-row-title", title: row.title }, row.title || "…"),
        h("span", { class: `gw-badge gw-state-${row.state}`, title: this.t(`state_${row.state}`) }, `${STATE_SIGN[row.state]} ${this.t(`short_${row.state}`)}`),
      ),
    );
  }

  marks(marks, asBars = false) {
    return h(
      "span",
      { class: "gw-marks", role: "img", "aria-label": this.t("trend", { marks: [...(marks || "")].map((mark) => this.t(`last_${mark}`)).join(", ") }) },
      [...(marks || "")].map((mark) => h("span", { class: `gw-mark gw-mark-${mark}` }, asBars ? null : MARK_SIGN[mark])),
    );
  }

  open(key) {
    this.head.open = key;
    this.drawRows();
    this.send("open", { key });
  }

  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -1e9, End: 1e9 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { keys } = this.list;
    const at = Math.max(0, Math.min(keys.length - 1, keys.indexOf(this.head.open) + step));
    if (keys[at]) this.open(keys[at]);
  }

  // --- the form ---

  drawTitle() {
    const { editor, derived } = this;
    const state = derived.state;
    const name = editor.is_new ? this.t("new_item") : this.rows[editor.key]?.id || editor.key;
    this.put(this.title, [this.head.first_step, this.head.new_file, editor.key, name, state, derived.marks, editor.deleted, editor.is_new, editor.file_problems, editor.carry, derived.loss, this.notice?.where === "editor" && this.notice], () => {
      if (this.head.first_step) return this.firstStep();
      if (editor.key === null) return [h("h2", { class: "gw-h" }, this.t("no_item")), h("p", { class: "gw-muted" }, this.t("no_item_help"))];
      return [
        h(
          "div",
          { class: "gw-titleline" },
          h(
            "div",
            { class: "gw-titlename" },
            h("h2", { class: "gw-h" }, name),
            h("span", { class: `gw-badge gw-big gw-state-${state}` }, `${STATE_SIGN[state]} ${this.t(`state_${state}`)}`),
            derived.marks ? this.marks(derived.marks) : null,
          ),
          h(
            "span",
            { class: "gw-pair" },
            this.button("duplicate", this.t("duplicate"), () => this.begin(() => this.send("duplicate", { key: this.editor.key })), { class: "gw-small" }),
            this.button("delete", this.t("delete"), () => this.send("delete", { key: this.editor.key }), { class: "gw-small", disabled: editor.deleted }),
          ),
        ),
        editor.deleted && h("div", { class: "gw-strip gw-warn" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "⌫"), this.t("will_be_deleted"), this.button("undelete", this.t("undo"), () => this.send("discard", { key: this.editor.key }), { class: "gw-small" })),
        derived.loss && !editor.deleted && h("div", { class: "gw-strip gw-warn gw-loss", role: "status" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "▲"), derived.loss),
        editor.carry && h("p", { class: "gw-muted" }, this.t("carry_note")),
        (editor.file_problems || []).map((problem) => h("div", { class: "gw-strip gw-error" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "✗"), problem)),
        this.note("editor"),
      ];
    });
  }

  // What is shown while there is no item at all: what this page is, and the one thing to do.
  firstStep() {
    const { head } = this;
    return h(
      "section",
      { class: "gw-welcome", "aria-labelledby": `${this.uid}-first` },
      h("h2", { id: `${this.uid}-first`, class: "gw-h" }, this.t("first_title")),
      h("p", {}, this.t("first_what")),
      h("ol", { class: "gw-steps" }, h("li", {}, this.t("first_write")), h("li", {}, this.t("first_try")), h("li", {}, this.t("first_sign"))),
      h("p", { class: "gw-muted" }, head.new_file ? this.t("first_new_file", head) : this.t("first_old_file", head)),
      h("div", {}, this.newButton("first", "gw-primary")),
      this.note("editor"),
    );
  }

  drawForm() {
    const { editor } = this;
    if (editor.key === null) {
      this.form.replaceChildren();
      this.formKey = null;
      return;
    }
    if (this.formKey !== editor.key) this.makeForm();
    for (const [path, control] of Object.entries(this.controls)) {
      control.show(editor.form[path]);
      const isSeveral = editor.several.includes(path);
      if (isSeveral || control.node?.readOnly) control.node.readOnly = isSeveral;
      if (isSeveral || control.node?.title) control.node.title = isSeveral ? this.t("several_note") : "";
    }
    this.acceptedBox.show(editor.form.accepted || []);
    this.idButton.hidden = !editor.id_locked;
    this.controls.id.node.readOnly = editor.id_locked;
    this.controls.id.node.title = editor.form.id;
    this.form.toggleAttribute("inert", !!editor.deleted);
  }

  makeForm() {
    this.formKey = this.editor.key;
    this.pending.clear();
    const active = this.root.ownerDocument.activeElement;
    const kept = this.form.contains(active) ? active.getAttribute("data-k") || "question" : null;
    const wanted = this.beginning && this.editor.is_new ? "question" : kept;
    if (this.editor.is_new) this.beginning = false;
    this.controls = {};
    this.slots = {};
    this.idButton = this.button("rename", this.t("rename"), () => this.send("ask_rename"), { class: "gw-link gw-small" });
    const id = this.field("id", "line");
    const label = id.querySelector(".gw-label");
    const head = h("div", { class: "gw-labelrow" });
    label.replaceWith(head);
    head.append(label, this.idButton);
    const more = h("details", { class: "gw-more", on: { toggle: () => (this.moreOpen = more.open) } }, h("summary", {}, this.t("more_fields")));
    more.open = this.moreOpen;
    more.append(h("div", { class: "gw-grid" }, MORE_FIELDS.map(([path, kind, options]) => this.field(path, kind, options))));
    this.form.replaceChildren(
      h("div", { class: "gw-grid gw-meta" }, id, this.field("domain", "line"), this.field("surface", "choice", ["public", "internal"])),
      this.field("question", "text"),
      this.field("expected.must_include", "chips"),
      this.field("expected.must_not_include", "chips"),
      this.field("expected.rubric", "text"),
      more,
      (this.acceptedBox = this.accepted()).node,
      (this.slots[""] = h("div", { class: "gw-hazards" })),
      (this.diffBox = h("section", { class: "gw-diffbox" })),
    );
    for (const box of [...Object.values(this.slots), this.diffBox]) this.drawn.delete(box);
    if (wanted) (this.named(this.form, wanted) || this.controls.question.node).focus();
  }

  field(path, kind, options) {
    const name = path.replace("expected.", "").replace(".", "_");
    const id = `${this.uid}-${name}`;
    const make = { line: this.line, text: this.area, code: this.area, choice: this.choice, flag: this.flag, chips: this.chips }[kind];
    const control = make.call(this, path, id, options, kind);
    this.controls[path] = control;
    const slot = (this.slots[path] = h("div", { class: "gw-hazards", id: `${id}-notes` }));
    control.node.setAttribute("aria-describedby", `${id}-notes`);
    const help = this.words[`help_${name}`];
    return h(
      "div",
      { class: `gw-field ${WIDE.has(path) ? "gw-full" : ""}`, "data-field": path },
      h("label", { for: id, class: "gw-label" }, this.t(`field_${name}`), help && h("span", { class: "gw-help" }, help)),
      h("div", { class: "gw-control" }, control.box || control.node),
      slot,
    );
  }

  // A control shows what the form holds, and leaves the caret where it is.
  guarded(node, path, property = "value") {
    return (value) => {
      const given = property === "checked" ? !!value : String(value ?? "").replace(/\r\n?/g, "\n");
      if (node[property] !== given && this.typed.get(path)?.key !== this.editor.key) node[property] = given;
      if (node.tagName === "TEXTAREA") this.grow(node);
    };
  }

  line(path, id) {
    const node = h("input", { type: "text", id, class: "gw-input", "data-k": path, autocomplete: "off", spellcheck: "false", on: { input: () => this.type(path, node.value), blur: () => this.flush() } });
    if (path === "domain") {
      const offered = h("datalist", { id: `${id}-list` }, this.list.domains.map((name) => h("option", { value: name })));
      node.setAttribute("list", `${id}-list`);
      return { node, box: h("span", { class: "gw-row-flex" }, node, offered), show: this.guarded(node, path) };
    }
    return { node, show: this.guarded(node, path) };
  }

  area(path, id, options, kind) {
    const node = h("textarea", { id, class: `gw-input ${kind === "code" ? "gw-code" : ""}`, "data-k": path, rows: path === "question" ? 1 : 2, on: { input: () => (this.grow(node), this.type(path, node.value)), blur: () => this.flush() } });
    return { node, show: this.guarded(node, path) };
  }

  grow(node) {
    requestAnimationFrame(() => {
      node.style.height = "auto";
      node.style.height = `${Math.min(node.scrollHeight + 2, 320)}px`;
    });
  }

  choice(path, id, options) {
    const node = h("select", { id, class: "gw-input gw-select", "data-k": path, on: { change: () => this.edit(path, node.value)() } });
    for (const name of options) node.append(h("option", { value: name }, name ? this.t(`choice_${name}`) : this.t("choice_none")));
    return { node, show: (value) => {
      if (value && ![...node.options].some((one) => one.value === value)) node.append(h("option", { value }, value));
      this.guarded(node, path)(value);
    } };
  }

  flag(path, id) {
    const node = h("input", { type: "checkbox", id, "data-k": path, on: { change: () => this.edit(path, node.checked)() } });
    return { node, show: this.guarded(node, path, "checked") };
  }

  chips(path, id) {
    const tone = { "expected.must_include": "gw-good", "expected.must_not_include": "gw-bad" }[path] || "";
    const node = h("textarea", { id, class: "gw-add", rows: 1, "data-k": path, placeholder: this.words[`add_${path}`] || this.t("add_phrase"), title: this.t("add_phrase_help"), spellcheck: "false" });
    const { key } = this.editor;
    const add = (pasted = "") => {
      const text = node.value + pasted;
      node.value = "";
      if (text.trim()) this.added.set(this.send("add", { key, path, text, where: "editor" }), { key, path, add: text });
    };
    this.pending.set(path, { key, add, text: () => (node.isConnected ? node.value.trim() : "") });
    node.addEventListener("input", () => (this.keepUnsent(), this.drawDirty()));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) event.preventDefault(), add();
    });
    node.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text/plain");
      if (!text.includes("\n")) return;
      event.preventDefault();
      add(text);
    });
    node.addEventListener("blur", () => add());
    const list = h("span", { class: "gw-chiplist", role: "list" });
    const box = h("div", { class: `gw-chips ${tone}`, on: { click: (event) => event.target === box && node.focus() } }, list, node);
    const show = (phrases) => {
      const worst = {};
      for (const one of this.derived.hazards || [])
        if (one.field === path && one.severity !== "note" && worst[one.phrase] !== "error") worst[one.phrase] = one.severity;
      this.put(list, [phrases, worst, this.editing], () => phrases.map((phrase, index) => this.chip(path, phrase, index, worst[phrase])));
    };
    return { node, box, show };
  }

  chip(path, phrase, index, hazard) {
    const where = `${path}-${index}`;
    const { key } = this.editor;
    const set = (value) => this.send("set", { key, path, index, was: phrase, value, where: "editor" });
    if (this.editing === where) {
      const done = (value, byKey = false) => {
        if (this.editing !== where) return;
        this.editing = this.finishEditing = null;
        if (byKey) this.refocus = value === "" ? path : `chip-${where}`;
        if (value !== null && value !== phrase) set(value);
        else this.draw();
      };
      const input = h("textarea", { class: "gw-input gw-chipedit", rows: 1, "aria-label": this.t("edit_phrase"), value: phrase });
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") event.preventDefault(), done(input.value, true);
        if (event.key === "Escape") event.stopPropagation(), done(null, true);
      });
      input.addEventListener("blur", () => done(input.value));
      this.finishEditing = () => done(input.value);
      requestAnimationFrame(() => input.focus());
      return h("span", { class: "gw-chip gw-editing", role: "listitem" }, input);
    }
    const edit = () => ((this.editing = where), this.draw());
    return h(
      "span",
      { class: `gw-chip ${hazard ? `gw-has-${hazard}` : ""}`, role: "listitem" },
      hazard && h("span", { class: "gw-sign", role: "img", "aria-label": this.t(`severity_${hazard}`) }, SEVERITY_SIGN[hazard]),
      this.button(`chip-${where}`, visible(phrase), edit, { class: "gw-plain", title: this.t("edit_phrase") }),
      this.button(`x-${where}`, "×", () => set(""), { class: "gw-icon", "aria-label": this.t("remove_phrase", { phrase }) }),
    );
  }

  accepted() {
    const node = h("div", { class: "gw-accepted" });
    const show = (entries) =>
      this.put(node, entries, () =>
        entries.length
          ? [
              h("h3", { class: "gw-label" }, this.t("accepted_title")),
              entries.map((one, index) =>
                h("div", { class: "gw-accept-row" }, h("code", {}, one.code), one.phrase ? ` “${visible(one.phrase)}” — ` : " — ", visible(one.reason), this.button(`un-${index}`, this.t("show_again"), () => this.send("unaccept", { key: this.editor.key, index }), { class: "gw-link" })),
              ),
            ]
          : [],
      );
    return { node, show };
  }

  // --- what follows from the form ---

  drawDerived() {
    if (this.editor.key === null || !this.slots) return;
    const hazards = this.derived.hazards || [];
    const problems = this.derived.problems || [];
    const home = (field) => (field in this.slots ? field : "");
    for (const [path, slot] of Object.entries(this.slots)) {
      const mine = hazards.filter((one) => home(one.field) === path);
      const wrong = problems.filter((one) => home(one.field) === path);
      this.put(slot, [mine, wrong, this.accepting], () => [
        wrong.map((one) => h("div", { class: "gw-hazard gw-todo" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "→"), h("span", {}, one.text))),
        mine.filter((one) => one.severity !== "note").map((one) => this.hazard(one)),
        this.notes(mine.filter((one) => one.severity === "note"), path),
      ]);
    }
    for (const path of LISTS) this.controls[path]?.show(this.editor.form[path]);
    const { diff } = this.derived;
    this.put(this.diffBox, diff, () =>
      diff && (diff.text || diff.error) ? [h("h3", { class: "gw-label" }, this.t("will_write")), diff.error ? h("p", { class: "gw-muted gw-pre" }, diff.error) : this.diff(diff.text)] : [],
    );
  }

  notes(found, path) {
    if (!found.length) return null;
    const box = h("details", { class: "gw-notes" }, h("summary", { tabindex: "-1", "data-k": `notes-${path}` }, this.t("notes_count", { count: found.length })), found.map((one) => this.hazard(one)));
    box.open = !!this.opened?.has(path);
    box.addEventListener("toggle", () => ((this.opened = this.opened || new Set()), box.open ? this.opened.add(path) : this.opened.delete(path)));
    return box;
  }

  hazard(one) {
    const isPhrase = one.phrase && LISTS.includes(one.field);
    const { key } = this.editor;
    const aside = { class: "gw-link", tabindex: "-1" }; // Tab goes from field to field; Alt+W comes here
    const index = isPhrase ? (this.editor.form[one.field] || []).indexOf(one.phrase) : -1;
    const name = `${one.code}|${one.phrase}`;
    const parts = [
      h(
        "div",
        { class: "gw-hazard-text" },
        h("span", { class: "gw-sign", role: "img", title: one.code, "aria-label": this.t(`severity_${one.severity}`) }, SEVERITY_SIGN[one.severity]),
        h("span", {}, h("strong", {}, one.message)),
      ),
      one.evidence.length ? h("ul", { class: "gw-evidence" }, one.evidence.map((line) => h("li", {}, line))) : null,
      one.suggestion && h("p", { class: "gw-suggestion" }, one.suggestion),
    ];
    const actions = [];
    if (index >= 0) {
      actions.push(this.button(`e-${name}`, this.t("edit_phrase"), () => ((this.editing = `${one.field}-${index}`), this.draw()), aside));
      actions.push(this.button(`r-${name}`, this.t("drop_phrase"), () => this.send("set", { key, path: one.field, index, was: one.phrase, value: "" }), aside));
      actions.push(this.button(`m-${name}`, this.t("to_rubric"), () => this.send("to_rubric", { key, path: one.field, phrase: one.phrase }), aside));
    }
    actions.push(this.button(`a-${name}`, this.t("accept_hazard"), () => ((this.accepting = this.accepting === name ? null : name), this.draw()), { ...aside, "aria-expanded": String(this.accepting === name) }));
    parts.push(h("div", { class: "gw-actions" }, actions));
    if (this.accepting === name) {
      const reason = h("input", { type: "text", class: "gw-input", placeholder: this.t("accept_reason"), "aria-label": this.t("accept_reason"), "data-k": `why-${name}` });
      const go = () => (this.send("accept", { key, code: one.code, phrase: one.phrase, reason: reason.value, where: "editor" }), (this.accepting = null));
      reason.addEventListener("keydown", (event) => event.key === "Enter" && go());
      parts.push(h("div", { class: "gw-row-flex" }, reason, this.button(`ok-${name}`, this.t("accept_ok"), go, { class: "gw-small" })));
      requestAnimationFrame(() => reason.focus());
    }
    return h("div", { class: `gw-hazard gw-${one.severity}` }, parts);
  }

  // The lines of a change without the two that name the file, which the page names above.
  diff(text) {
    const lines = text.replace(/\n$/, "").split("\n").slice(2);
    return h(
      "pre",
      { class: "gw-diff", tabindex: "0", "aria-label": this.t("will_write") },
      lines.map((line) => h("span", { class: { "+": "gw-plus", "-": "gw-minus", "@": "gw-hunk" }[line[0]] || "" }, `${line}\n`)),
    );
  }

  segments(parts, signs = false) {
    return (parts || []).map(([text, kind]) => {
      if (!kind) return document.createTextNode(text);
      if (signs) return h(kind === "+" ? "ins" : "del", {}, text);
      return h("mark", { class: `gw-m-${kind}`, title: this.t(`mark_${kind}`) }, text);
    });
  }

  findings(found) {
    if (!found.length) return null;
    return h(
      "ul",
      { class: "gw-findings" },
      found.map((one) =>
        h("li", { class: one.kind === "missing" ? "gw-t-warn" : "gw-t-error" }, one.kind === "missing" ? this.t("missing", { phrase: one.phrase }) : this.t("says", { phrase: one.phrase }), one.near ? ` — ${this.t("near", { text: one.near })}` : ""),
      ),
    );
  }

  // --- the chatbot's answers ---

  drawPreview() {
    const { preview, editor } = this;
    const running = preview.running;
    this.put(this.ask, [editor.key === null, running, this.times, this.head.timeout, this.notice?.where === "preview" && this.notice, preview.attempts.length > 0], () => [
      h(
        "div",
        { class: "gw-sideline" },
        h("h3", { class: "gw-h3" }, this.t("try_title")),
        h("span", { class: "gw-grow" }),
        this.select("times", String(this.times), [1, 3, 5, 10].map((count) => [String(count), this.t("times", { count })]), (value) => ((this.times = Number(value)), this.draw()), this.t("how_often")),
        running
          ? this.button("stop", `■ ${this.t("cancel_all")}`, () => this.send("cancel"), {})
          : this.button("ask", `▶ ${this.t("ask", { count: this.times })}`, () => this.send("ask", { times: this.times, where: "preview" }), { class: "gw-primary", disabled: editor.key === null, title: "Ctrl+Enter" }),
      ),
      !preview.attempts.length && h("p", { class: "gw-muted" }, this.t("try_help", { seconds: this.head.timeout })),
      this.note("preview"),
    ]);
    const there = new Set();
    preview.attempts.forEach((one, place) => {
      const name = `${preview.key}/${one.number}`;
      there.add(name);
      let card = this.cards.get(name);
      if (!card) {
        card = h("article", { class: "gw-card" });
        this.cards.set(name, card);
      }
      if (this.cardsbox.children[place] !== card) this.cardsbox.insertBefore(card, this.cardsbox.children[place] || null);
      this.put(card, one, () => this.attempt(one));
    });
    for (const [name, card] of this.cards)
      if (!there.has(name)) {
        card.remove();
        this.cards.delete(name);
        this.drawn.delete(card);
      }
    this.put(this.table, preview.table, () =>
      preview.table.length
        ? h(
            "table",
            { class: "gw-phrases" },
            h("caption", { class: "gw-sr" }, this.t("phrase_table")),
            preview.table.map((one) => {
              const good = one.forbidden ? one.found === 0 : one.found === one.total;
              return h("tr", {}, h("th", { scope: "row" }, `“${one.phrase}”`, one.forbidden ? h("span", { class: "gw-muted" }, ` (${this.t("forbidden_word")})`) : null), h("td", { class: good ? "gw-t-ok" : one.forbidden ? "gw-t-error" : "gw-t-warn" }, `${good ? "✓" : one.forbidden ? "✗" : "▲"} ${this.t("of", { found: one.found, total: one.total })}`));
            }),
          )
        : [],
    );
  }

  attempt(one) {
    const live = one.phase === "waiting" || one.phase === "answering";
    const status = {
      waiting: ["", this.t("waiting")],
      answering: ["", this.t("answering")],
      done: this.preview.unchecked ? ["", this.t("problem_nothing_to_check")] : one.ok ? ["gw-t-ok", `✓ ${this.t("facts_ok")}`] : ["gw-t-error", `✗ ${this.t("facts_bad")}`],
      error: ["gw-t-error", `✗ ${this.t("asking_failed")}`],
      cancelled: ["gw-t-warn", `■ ${this.t("cancelled")}`],
    }[one.phase];
    const verdict = one.verdict;
    return [
      h(
        "div",
        { class: "gw-cardhead" },
        h("span", {}, `${one.number}`, live ? "" : ` · ${this.t("seconds", { seconds: one.seconds })}`, " · ", h("span", { class: status[0] }, status[1])),
        h("span", { class: "gw-grow" }),
        live && this.button(`stop-${one.number}`, this.t("cancel"), () => this.send("cancel", { number: one.number }), { class: "gw-small" }),
        one.phase === "done" && this.button(`judge-${one.number}`, verdict && !verdict.asking ? this.t("judge_again") : this.t("judge"), () => this.send("judge", { number: one.number, where: "preview" }), { class: "gw-small", disabled: !!verdict?.asking }),
      ),
      h("div", { class: "gw-answer", tabindex: "0" }, this.segments(one.segments), live ? h("span", { class: "gw-caret", "aria-hidden": "true" }, "▌") : null),
      one.error && h("p", { class: "gw-t-error gw-pre" }, one.error),
      this.findings(one.findings),
      verdict &&
        h(
          "p",
          { class: "gw-verdict" },
          h("strong", { class: verdict.passed === true ? "gw-t-ok" : verdict.passed === false ? "gw-t-error" : "" }, verdict.asking ? this.t("judge_asking") : verdict.passed === true ? `✓ ${this.t("judge_pass", { value: verdict.value })}` : verdict.passed === false ? `✗ ${this.t("judge_fail", { value: verdict.value })}` : `▲ ${this.t("judge_none")}`),
          verdict.reason ? ` ${verdict.reason}` : "",
        ),
    ];
  }

  drawSide() {
    const { derived, editor } = this;
    const flips = derived.flips || { total: 0, shown: [] };
    this.put(this.flips, [editor.key, flips, derived.is_draft], () => {
      if (editor.key === null) return [];
      const title = h("h3", { class: "gw-h3" }, this.t("flips_title"));
      if (!flips.total) return [title, h("div", { class: "gw-card" }, h("span", { class: "gw-muted" }, this.t("flips_none")))];
      if (!derived.is_draft) return [title, h("div", { class: "gw-card gw-muted" }, this.t("flips_idle", { total: flips.total }))];
      const same = flips.total - flips.changed;
      const shown = h("details", { class: "gw-flipped" }, h("summary", {}, this.t("flips_show", { count: flips.shown.length, total: flips.changed })), flips.shown.map((one) =>
        h("div", { class: "gw-flip" }, h("div", { class: "gw-muted" }, this.when(one.at), " · ", this.outcome(one.then), " → ", this.outcome(one.now), ` · ${one.reason}`), h("div", { class: "gw-answer", tabindex: "0" }, this.segments(one.segments))),
      ));
      shown.open = !!this.flipsOpen;
      shown.addEventListener("toggle", () => (this.flipsOpen = shown.open));
      return [
        title,
        h(
          "div",
          { class: "gw-card" },
          this.t("flips_total", { total: flips.total }),
          " ",
          h("strong", { class: flips.to_pass ? "gw-t-ok" : "" }, this.t("flips_pass", { count: flips.to_pass })),
          ", ",
          h("strong", { class: flips.to_fail ? "gw-t-error" : "" }, this.t("flips_fail", { count: flips.to_fail })),
          ", ",
          this.t("flips_same", { count: same }),
          flips.shown.length ? shown : null,
        ),
      ];
    });
    const strength = derived.strength || [];
    this.put(this.strength, [editor.key, strength], () =>
      strength.length
        ? [
            h("h3", { class: "gw-h3" }, this.t("strength_title")),
            h(
              "div",
              { class: "gw-card gw-strength" },
              strength.map((one) =>
                h("div", { title: one.passed ? one.example : "" }, this.t(`mutation_${one.kind}`), " ", one.passed ? h("span", { class: "gw-t-warn" }, `▲ ${this.t("lets_through", { count: one.passed, total: one.tried })}`) : h("span", { class: "gw-t-ok" }, `✓ ${this.t("refused")}`)),
              ),
            ),
          ]
        : [],
    );
    const { history, answer } = this;
    this.put(this.past, [editor.key, history, answer, this.asDiff], () => {
      if (!history.results.length) return editor.key === null ? [] : [h("h3", { class: "gw-h3" }, this.t("history_title")), h("div", { class: "gw-card gw-muted" }, this.t("history_none"))];
      return [
        h("h3", { class: "gw-h3" }, this.t("history_title"), history.series ? h("span", { class: "gw-help" }, history.series) : null),
        h("div", { class: "gw-card gw-history" }, history.results.map((one) => this.pastResult(one, answer))),
      ];
    });
    const { review, signed } = derived;
    this.put(this.review, [editor.key, review, derived.state, derived.loss, signed], () =>
      editor.key === null
        ? []
        : [
            h("h3", { class: "gw-h3" }, this.t("verify_title")),
            h(
              "div",
              { class: "gw-card" },
              h("p", { class: `gw-statement gw-state-${derived.state}` }, `${STATE_SIGN[derived.state]} ${this.t(`state_${derived.state}`)}`),
              review ? h("p", { class: "gw-muted" }, this.reviewed(review, derived.loss)) : null,
              derived.loss ? h("p", { class: "gw-t-warn" }, derived.loss) : null,
              h("p", { class: "gw-muted" }, this.t(derived.state === "changed" ? "verify_changed" : "verify_help")),
              signed ? this.button("withdraw", this.t("withdraw"), () => this.send("ask_withdraw"), { class: "gw-link gw-left" }) : null,
            ),
          ],
    );
  }

  reviewed(review, isSaid) {
    const by = (review.by || "?") + (review.other ? ` (${review.other})` : "");
    const ended = review.withdrawn ? this.t("was_withdrawn", { by, withdrawn: review.withdrawn, reason: review.reason || "" }) : review.lapsed ? this.t("was_lapsed", review) : "";
    const told = this.t("reviewed", { by, at: review.at || "?", source: review.source || "–", due: review.due || "–" });
    if (isSaid) return told;
    return review.withdrawn ? ended : `${told} ${ended}`;
  }

  outcome(passed) {
    return passed === true ? h("span", { class: "gw-t-ok" }, `✓ ${this.t("passed")}`) : passed === false ? h("span", { class: "gw-t-error" }, `✗ ${this.t("failed")}`) : h("span", { class: "gw-muted" }, `– ${this.t("not_scored")}`);
  }

  pastResult(one, answer) {
    const isOpen = answer && answer.run_id === one.run_id;
    const body = isOpen
      ? h(
          "div",
          { class: "gw-past-answer" },
          answer.diff
            ? h("div", { class: "gw-tabs", role: "group" }, ["answer", "diff"].map((tab) => this.button(`tab-${tab}`, this.t(`tab_${tab}`), () => ((this.asDiff = tab === "diff"), this.draw()), { class: `gw-chipbutton ${(tab === "diff") === !!this.asDiff ? "gw-on" : ""}`, "aria-pressed": String((tab === "diff") === !!this.asDiff) })))
            : null,
          h("div", { class: "gw-answer", tabindex: "0" }, answer.diff && this.asDiff ? this.segments(answer.diff, true) : this.segments(answer.segments)),
          answer.diff && this.asDiff ? null : this.findings(answer.findings),
        )
      : null;
    return h(
      "div",
      { class: "gw-past-row" },
      this.button(`past-${one.run_id}`, [h("span", { class: "gw-muted" }, this.when(one.at)), h("span", {}, this.outcome(one.passed)), h("span", { class: "gw-past-reason" }, one.reason)], () => (isOpen ? ((this.answer = null), this.draw()) : this.send("stored", { run_id: one.run_id })), { class: "gw-plain gw-past-button", "aria-expanded": String(!!isOpen), title: one.run_id }),
      body,
    );
  }

  // --- below ---

  drawDirty() {
    if (this.foot) this.drawFoot();
  }

  drawFoot() {
    const { head, editor } = this;
    const busy = this.typing.size > 0 || [...this.pending.values()].some((one) => one.text());
    const mine = head.unsaved.some((one) => one.key === editor.key) || busy;
    const others = head.unsaved.filter((one) => one.key !== editor.key);
    this.put(this.foot, [head.unsaved, head.undo, head.redo, head.new_file, head.first_step, editor.key, mine, this.notice?.where === "footer" && this.notice, head.learned], () => [
      h(
        "div",
        { class: "gw-dirty", role: "status" },
        head.unsaved.length || busy
          ? [h("span", { class: "gw-dot", "aria-hidden": "true" }, "●"), " ", mine ? this.t("unsaved") : "", mine && others.length ? " · " : "", others.length ? this.button("others", this.t("unsaved_others", { count: others.length }), () => this.open(others[0].key), { class: "gw-link", title: others.map((one) => one.id).join(", ") }) : null]
          : h("span", { class: "gw-muted" }, head.new_file || head.first_step ? this.t("nothing_yet") : `✓ ${this.t("all_saved")}`),
        head.learned ? null : h("span", { class: "gw-muted" }, ` · ${this.t("learning")}`),
      ),
      this.note("footer"),
      h("span", { class: "gw-grow" }),
      this.button("undo", this.t("undo"), () => this.send("undo"), { disabled: !head.undo, title: head.undo ? `${this.t(`undo_${head.undo}`)} (Alt+Z)` : "" }),
      this.button("redo", this.t("redo"), () => this.send("redo"), { disabled: !head.redo, title: head.redo ? `${this.t("redo_last")} (Alt+Shift+Z)` : "" }),
      this.button("discard", this.t("discard"), () => this.send("discard", { key: this.editor.key }), { disabled: !mine }),
      this.button("save", this.t("save"), () => this.send("ask_save"), { disabled: !mine, title: "Ctrl+S" }),
      others.length ? this.button("saveall", this.t("save_all", { count: head.unsaved.length }), () => this.send("ask_save", { all: true })) : null,
      this.button("verify", this.t("verify"), () => this.send("ask_verify"), { class: "gw-primary", disabled: editor.key === null || editor.deleted, title: "Alt+V" }),
      this.button("next", `${this.t("next_unverified")} ▸`, () => this.send("next"), { disabled: head.first_step, title: "Alt+N" }),
    ]);
  }

  // --- dialogs ---

  drawDialog() {
    const { dialog, modal } = this;
    if (!dialog) {
      if (this.modalOpen) {
        modal.close();
        this.modalOpen = false;
        modal.replaceChildren();
        this.drawn.delete(modal);
        (this.before?.isConnected ? this.before : this.rowsBox).focus({ preventScroll: true });
      }
      return;
    }
    const redrawn = this.put(modal, [dialog, this.choices], () => this[`${dialog.kind}Dialog`](dialog));
    if (redrawn && this.modalOpen) modal.querySelector('[aria-invalid="true"]')?.focus();
    if (!this.modalOpen) {
      this.before = this.root.ownerDocument.activeElement;
      this.choices = {};
      this.modalOpen = true;
      modal.showModal();
      modal.setAttribute("aria-labelledby", `${this.uid}-dialog`);
      const first = modal.querySelector("[autofocus]");
      first?.focus();
      if (first?.value) first.select?.(); // typing takes the place of what is proposed
    }
  }

  // What saving does, in words: what is lost first.
  inWords(dialog) {
    if (!dialog.effects.length) return null;
    return [
      h("p", { class: "gw-summary" }, h("strong", {}, dialog.summary)),
      h("ul", { class: "gw-effects" }, dialog.effects.map((one) => h("li", { class: one.lost ? "gw-t-warn" : "" }, one.lost ? "▲ " : "", one.text))),
    ];
  }

  // Done once, by whichever way: the button is dead until the kernel has answered.
  press(action, dialog, more) {
    if (dialog.sent) return;
    dialog.sent = true;
    this.send(action, { digest: dialog.digest, keys: dialog.keys, where: "dialog", ...more });
  }

  dialogHead(title, ...more) {
    return h("div", { class: "gw-dialog-head" }, h("h2", { id: `${this.uid}-dialog`, class: "gw-h" }, title), more, h("span", { class: "gw-grow" }), this.button("d-close", "×", () => this.send("dismiss"), { class: "gw-icon", "aria-label": this.t("close") }));
  }

  dialogError(dialog) {
    return dialog.error ? h("div", { class: "gw-notice gw-error", role: "alert" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "✗"), h("span", { class: "gw-notice-text" }, dialog.error)) : null;
  }

  saveDialog(dialog) {
    const { diff, last, problems } = dialog;
    const ready = diff.text && !problems.length && !diff.error;
    return [
      this.dialogHead(this.t("save_title"), h("span", { class: "gw-muted" }, dialog.names.join(", "))),
      h(
        "div",
        { class: "gw-dialog-body" },
        last && h("p", { class: "gw-muted" }, last.committed ? this.t("last_change", last) : this.t("last_change_open", last)),
        problems.map((text) => h("div", { class: "gw-hazard gw-todo" }, "→ ", text)),
        this.inWords(dialog),
        diff.error ? h("p", { class: "gw-t-error gw-pre" }, diff.error) : diff.text ? [h("h3", { class: "gw-label" }, this.t("exact_lines")), this.diff(diff.text)] : h("p", { class: "gw-muted" }, this.t("nothing_to_save")),
        dialog.others ? h("p", { class: "gw-muted" }, this.t("others_stay", { count: dialog.others })) : null,
        this.head.new_file && h("p", {}, this.t("saving_makes", this.head)),
        h("p", { class: "gw-muted" }, this.t("not_committed")),
      ),
      h("div", { class: "gw-dialog-foot" }, this.dialogError(dialog), h("span", { class: "gw-grow" }), this.button("d-cancel", this.t("cancel"), () => this.send("dismiss")), this.button("d-save", this.t("save_now"), () => this.press("save", dialog), { class: "gw-primary", disabled: !ready, autofocus: true })),
    ];
  }

  verifyDialog(dialog) {
    const { form } = dialog.editor;
    const wrong = dialog.wrong || {};
    const empty = ["by", "source", "due"].find((name) => !dialog[name]) || "source";
    const input = (name, type, label, help) => {
      const id = `${this.uid}-v-${name}`;
      return h("div", { class: "gw-field" }, h("label", { class: "gw-label", for: id }, label, help && h("span", { class: "gw-help" }, help)), h("input", { type, id, class: "gw-input", name, value: dialog[name], "data-k": `v-${name}`, autofocus: name === empty, list: name === "source" ? `${this.uid}-bases` : null, "aria-invalid": String(!!wrong[name]), autocomplete: "off" }), wrong[name] ? h("div", { class: "gw-hazard gw-todo", role: "alert" }, "→ ", wrong[name]) : null);
    };
    const phrases = (path, kind) => (form[path].length ? h("p", { class: "gw-list-inline" }, form[path].map((phrase) => h("span", { class: `gw-chip ${kind}` }, `${kind === "gw-chip-good" ? "✓" : "✗"} ${visible(phrase)}`))) : h("p", { class: "gw-muted" }, "–"));
    const hazards = dialog.editor.hazards.filter((one) => one.severity !== "note");
    const box = h(
      "form",
      { class: "gw-dialog-form", on: { submit: (event) => {
        event.preventDefault();
        const value = (name) => box.querySelector(`[name=${name}]`).value;
        this.press("verify", dialog, { by: value("by"), source: value("source"), due: value("due") });
      }, input: () => this.markName(box, dialog) } },
      this.dialogHead(this.t("verify_title"), h("span", { class: "gw-muted" }, visible(form.id))),
      h(
        "div",
        { class: "gw-dialog-body gw-review" },
        h(
          "div",
          {},
          h("h3", { class: "gw-label" }, this.t("field_question")),
          h("p", { class: "gw-quote" }, form.turns.length ? form.turns.map((text, number) => h("span", { class: "gw-block" }, `${number + 1}. ${visible(text)}`)) : visible(form.question)),
          h("h3", { class: "gw-label" }, this.t("field_must_include")),
          phrases("expected.must_include", "gw-chip-good"),
          h("h3", { class: "gw-label" }, this.t("field_must_not_include")),
          phrases("expected.must_not_include", "gw-chip-bad"),
          h("h3", { class: "gw-label" }, this.t("field_rubric")),
          h("p", { class: "gw-quote" }, visible(form["expected.rubric"]) || "–"),
          dialog.more.map((one) => [h("h3", { class: "gw-label" }, one.label), h("p", { class: "gw-quote" }, one.text)]),
          dialog.effects.length ? [this.inWords(dialog), dialog.diff.text ? h("details", {}, h("summary", {}, this.t("exact_lines")), this.diff(dialog.diff.text)) : null] : null,
          hazards.length ? [h("h3", { class: "gw-label" }, this.t("hazards_count", { count: hazards.length })), hazards.map((one) => h("div", { class: `gw-hazard gw-${one.severity}` }, h("div", { class: "gw-hazard-text" }, h("span", { class: "gw-sign", role: "img", title: one.code, "aria-label": this.t(`severity_${one.severity}`) }, SEVERITY_SIGN[one.severity]), h("strong", {}, one.message))))] : h("p", { class: "gw-t-ok" }, `✓ ${this.t("no_hazards")}`),
        ),
        h(
          "div",
          {},
          h("h3", { class: "gw-label" }, this.t("recent_answer"), dialog.answer ? h("span", { class: "gw-help" }, dialog.answer.from === "preview" ? this.t("from_preview") : this.when(dialog.answer.at)) : null),
          dialog.answer ? [h("div", { class: "gw-card" }, h("div", { class: "gw-answer", tabindex: "0" }, this.segments(dialog.answer.segments)), this.findings(dialog.answer.findings))] : h("p", { class: "gw-muted" }, this.t("no_answer_yet")),
          input("by", "text", this.t("review_by")),
          h("p", { class: "gw-account", role: "status" }),
          h("datalist", { id: `${this.uid}-bases` }, dialog.bases.map((text) => h("option", { value: text }))),
          input("source", "text", this.t("review_source"), this.t("review_source_help")),
          input("due", "date", this.t("review_due"), this.t("review_due_help")),
          h("p", { class: "gw-muted" }, this.t("verify_promise")),
        ),
      ),
      h("div", { class: "gw-dialog-foot" }, this.dialogError(dialog), h("span", { class: "gw-grow" }), this.button("d-cancel", this.t("cancel"), () => this.send("dismiss")), h("button", { type: "submit", class: "gw-button gw-primary", "data-k": "d-verify" }, this.t("sign_now"))),
    );
    this.markName(box, dialog);
    return box;
  }

  // The account beside the name, and whether the name is another's; `Review.is_of_another_name` in Python.
  markName(box, dialog) {
    const words = (text) => text.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) || [];
    const place = box.querySelector(".gw-account");
    const typed = words(box.querySelector("[name=by]").value);
    const account = words(dialog.account.replace(/ \([^(]*\)$/, "").replace(/(?<=.)[<@].*$/, ""));
    const isOther = typed.length > 0 && account.length > 0 && !account.every((word) => typed.includes(word));
    place.textContent = dialog.account ? (isOther ? "▲ " : "") + this.t(isOther ? "not_the_account" : "signed_from", dialog) : "";
    place.className = `gw-account ${isOther ? "gw-t-warn" : "gw-muted"}`;
  }

  withdrawDialog(dialog) {
    const id = `${this.uid}-withdraw`;
    const review = dialog.review || {};
    const by = (review.by || this.t("nobody_named")) + (review.at ? ` (${this.when(review.at)})` : "");
    const input = h("input", { type: "text", id, class: "gw-input", "data-k": "w-reason", autofocus: true, autocomplete: "off" });
    return h(
      "form",
      { class: "gw-dialog-form", on: { submit: (event) => (event.preventDefault(), this.press("withdraw", dialog, { reason: input.value })) } },
      this.dialogHead(this.t("withdraw_title"), h("span", { class: "gw-muted" }, dialog.id)),
      h("div", { class: "gw-dialog-body" }, h("p", {}, this.t("withdraw_what", { by, id: dialog.id })), h("div", { class: "gw-field" }, h("label", { class: "gw-label", for: id }, this.t("withdraw_reason"), h("span", { class: "gw-help" }, this.t("review_due_help"))), input)),
      h("div", { class: "gw-dialog-foot" }, this.dialogError(dialog), h("span", { class: "gw-grow" }), this.button("d-cancel", this.t("cancel"), () => this.send("dismiss")), h("button", { type: "submit", class: "gw-button gw-primary", "data-k": "d-withdraw" }, this.t("withdraw_now"))),
    );
  }

  conflictDialog(dialog) {
    const lines = (value) => (value === null ? h("span", { class: "gw-muted" }, this.t("not_there")) : value.map((line) => h("span", { class: "gw-block" }, line || " ")));
    const done = dialog.conflicts.every((_, number) => this.choices?.[number]);
    const side = (one, number, name) => {
      const input = h("input", { type: "radio", name: `${this.uid}-c${number}`, value: name, "data-k": `c-${number}-${name}`, checked: this.choices?.[number] === name, on: { change: () => ((this.choices = { ...this.choices, [number]: name }), this.drawDialog()) } });
      return h("label", { class: `gw-version ${this.choices?.[number] === name ? "gw-on" : ""}` }, h("span", { class: "gw-row-flex" }, input, h("strong", {}, this.t(`version_${name}`))), h("span", { class: "gw-quote" }, lines(one[name])));
    };
    return [
      this.dialogHead(this.t("conflict_title")),
      h(
        "div",
        { class: "gw-dialog-body" },
        h("p", {}, this.t(dialog.why === "restored" ? "conflict_restored" : "conflict_changed")),
        dialog.conflicts.map((one, number) => {
          const name = one.field.replace("expected.", "").replace(".", "_");
          const label = one.field ? this.words[`field_${name}`] || one.field : this.t("whole_item");
          return h("fieldset", { class: "gw-conflict" }, h("legend", {}, h("strong", {}, one.id), ` · ${label}`), h("div", { class: "gw-versions" }, side(one, number, "mine"), side(one, number, "theirs")), h("p", { class: "gw-muted" }, this.t("version_base"), " ", one.base === null ? this.t("not_there") : one.base.join(" · ")));
        }),
      ),
      h("div", { class: "gw-dialog-foot" }, this.dialogError(dialog), h("span", { class: "gw-muted" }, done ? "" : this.t("choose_each")), h("span", { class: "gw-grow" }), this.button("d-cancel", this.t("later"), () => this.send("dismiss")), this.button("d-decide", this.t("take_choices"), () => this.send("decide", { choices: this.choices, digest: dialog.digest, where: "dialog" }), { class: "gw-primary", disabled: !done })),
    ];
  }

  renameDialog(dialog) {
    const id = `${this.uid}-rename`;
    const input = h("input", { type: "text", id, class: "gw-input", value: dialog.id, "data-k": "r-id", autofocus: true, spellcheck: "false" });
    const carry = h("input", { type: "checkbox", "data-k": "r-carry", checked: dialog.can_carry });
    return [
      this.dialogHead(this.t("rename_title")),
      h(
        "div",
        { class: "gw-dialog-body" },
        h("div", { class: "gw-field" }, h("label", { class: "gw-label", for: id }, this.t("field_id")), input),
        dialog.results ? h("div", { class: "gw-hazard gw-warning" }, h("div", { class: "gw-hazard-text" }, h("span", { class: "gw-sign", "aria-hidden": "true" }, "▲"), h("strong", {}, this.t("rename_loses", dialog)))) : h("p", { class: "gw-muted" }, this.t("rename_free")),
        dialog.can_carry ? h("label", { class: "gw-row-flex" }, carry, this.t("rename_carry", dialog)) : null,
      ),
      h("div", { class: "gw-dialog-foot" }, this.dialogError(dialog), h("span", { class: "gw-grow" }), this.button("d-cancel", this.t("cancel"), () => this.send("dismiss")), this.button("d-rename", this.t("rename_now"), () => this.send("rename", { id: input.value, carry: dialog.can_carry && carry.checked, where: "dialog" }), { class: "gw-primary" })),
    ];
  }

  // --- picking a phrase out of an answer ---

  offerPick() {
    if (!this.picker || !this.editor.form) return;
    const selection = this.root.ownerDocument.getSelection();
    const text = selection && !selection.isCollapsed ? String(selection).trim() : "";
    const element = selection?.anchorNode && (selection.anchorNode.nodeType === 1 ? selection.anchorNode : selection.anchorNode.parentElement);
    const inside = text && element?.closest(".gw-answer") && this.root.contains(element) && !this.dialog;
    if (!inside) {
      this.picker.hidden = true;
      return;
    }
    const go = (to) => () => {
      selection.removeAllRanges();
      this.picker.hidden = true;
      this.send("pick", { key: this.editor.key, to, text, where: "editor" });
    };
    this.picker.setAttribute("aria-label", this.t("pick"));
    this.picker.replaceChildren(
      this.button("p-1", `✓ ${this.t("pick_required")}`, go("required"), { class: "gw-small" }),
      this.button("p-2", `✗ ${this.t("pick_forbidden")}`, go("forbidden"), { class: "gw-small" }),
      this.button("p-3", `→ ${this.t("pick_rubric")}`, go("rubric"), { class: "gw-small" }),
    );
    for (const button of this.picker.children) button.addEventListener("mousedown", (event) => event.preventDefault());
    const place = selection.getRangeAt(0).getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    this.picker.hidden = false;
    this.picker.style.top = `${Math.max(4, place.top - frame.top - 42)}px`;
    this.picker.style.left = `${Math.max(4, Math.min(place.left - frame.left, frame.width - this.picker.offsetWidth - 8))}px`;
  }

  // --- keys and theme ---

  // The panel that was used last has the keys that are pressed where nothing has the focus.
  beCurrent() {
    for (const other of document.querySelectorAll(".gw[data-current]")) if (other !== this.root) other.removeAttribute("data-current");
    this.root.setAttribute("data-current", "");
  }

  // Keys that go to the page as a whole: ours in Voilà, the notebook's own in JupyterLab, and those of one panel only.
  keyOutside(event) {
    if (event.defaultPrevented || this.inLab || ![document.body, document.documentElement].includes(event.target)) return;
    const panels = [...document.querySelectorAll(".gw")];
    const current = panels.find((panel) => panel.hasAttribute("data-current")) || panels[0];
    if (current === this.root) this.key(event);
  }

  key(event) {
    const control = event.ctrlKey || event.metaKey;
    const alt = event.altKey && !control;
    const inText = !!event.target.closest(TEXT_FIELDS);
    const press = (action, more) => {
      event.preventDefault();
      event.stopPropagation();
      if (this.editor.key !== null || ["undo", "redo"].includes(action) || (action === "next" && !this.head.first_step)) this.send(action, more);
    };
    if (this.dialog || !this.head) return event.stopPropagation();
    const letter = event.key.toLowerCase();
    if (control && event.key === "Enter") press("ask", { times: this.times, where: "preview" });
    else if (control && letter === "s") press("ask_save");
    else if (control && letter === "z" && !inText) event.shiftKey ? press("redo") : press("undo");
    else if (control && letter === "y" && !inText) press("redo");
    else if (alt && event.code === "KeyZ") event.shiftKey ? press("redo") : press("undo");
    else if (alt && event.code === "KeyV") press("ask_verify");
    else if (alt && event.code === "KeyN") press("next");
    else if (alt && event.code === "KeyW") event.preventDefault(), event.stopPropagation(), this.toWarnings(event.target);
    else if (event.key === "/" && !control && !event.target.closest(`${TEXT_FIELDS}, select`)) {
      event.preventDefault();
      event.stopPropagation();
      this.search.focus();
    } else {
      if (event.target.closest(".gw-hazards")) this.walkWarnings(event);
      event.stopPropagation();
    }
  }

  // From a field to what is said of it, or else to the first that is said at all.
  toWarnings(from) {
    const first = (box) => [...(box?.querySelectorAll(".gw-hazards button, .gw-hazards summary") || [])].find((node) => node.checkVisibility?.() ?? true);
    (first(from.closest(".gw-field")) || first(this.form))?.focus();
  }

  // The arrow keys go through the warnings of a field, Escape goes back to it.
  walkWarnings(event) {
    const field = event.target.closest(".gw-field");
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") field?.querySelector(".gw-add, .gw-input")?.focus();
    if (!step || event.target.closest(TEXT_FIELDS)) return;
    event.preventDefault();
    const all = [...event.target.closest(".gw-hazards").querySelectorAll("button, summary")].filter((node) => node.checkVisibility?.() ?? true);
    all[(all.indexOf(event.target) + step + all.length) % all.length]?.focus();
  }

  setTheme(theme) {
    this.theme = theme;
    this.model.set("theme", theme);
    this.model.save_changes();
    this.applyTheme();
    this.draw();
  }

  applyTheme() {
    const { voila, jpThemeLight } = document.body.dataset;
    const lab = voila === undefined ? jpThemeLight : undefined; // Voilà's page says "light" whatever the system is
    const dark = this.theme === "dark" || (this.theme === "auto" && (lab ? lab === "false" : DARK.matches));
    this.root.setAttribute("data-theme", dark ? "dark" : "light");
  }
}

export default {
  render({ model, el }) {
    const app = new App(model, el);
    return () => app.stop();
  },
};
