// Events of tables. A browser allows six connections to one server, so all its tabs share one event
// stream: the tab that holds a lock reads it and passes on what it hears. Without locks (they need
// HTTPS or localhost) each tab has its own stream. A hidden tab neither reads nor listens.
const RECONNECT_MS = 1000; // doubled with each failure
const MAX_RECONNECT_MS = 15000;
const JOIN_MS = 30; // tabs that come together are taken together
const FINISHED_RECHECK_MS = 15000; // a finished game may go on after an undo, or have a rematch
const ROLL_CALL_MS = 30000; // tabs that were killed have not said goodbye
const KINDS = ["happening", "table", "end"];

const tab = Math.random().toString(36).slice(2);
const channel = navigator.locks && "BroadcastChannel" in window ? new BroadcastChannel("stream") : null;
const followed = new Map(); // the tables of this page
let reader = null; // while this tab reads for all
let release = null; // gives the lock back, or the request for it up

// Follows a table from the event after number `last` on. `handlers` has happening(feedEvent),
// table({ version, stage, spectators }), end() and lost(isLost), each if wanted.
export function follow(table, last, handlers) {
  const item = { table, last, handlers, ended: false, recheck: null };
  followed.set(table, item);
  if (!document.hidden) start();
  return { resume: () => { if (item.ended) revive(item); } };
}

function revive(item) {
  clearTimeout(item.recheck);
  item.ended = false;
  if (!document.hidden) start();
}

const wants = () => [...followed.values()].filter((item) => !item.ended)
  .map(({ table, last }) => ({ table, last }));

// --- Every tab -------------------------------------------------------------------------------

function start() {
  if (!wants().length) return stop();
  if (!channel) reader ??= new Reader();
  else if (!release) lead();
  tell({ type: "join", tab, wants: wants() });
}

function stop() {
  tell({ type: "leave", tab });
  reader?.close();
  reader = null;
  release?.();
  release = null;
}

// Waits until no other tab reads, then reads until this page is hidden or closed.
function lead() {
  const waiting = new AbortController();
  let done = () => {};
  release = () => { waiting.abort(); done(); };
  navigator.locks.request("stream", { signal: waiting.signal }, () => new Promise((resolve) => {
    done = resolve;
    reader = new Reader();
    tell({ type: "roll-call" });
  })).catch(() => {});
}

// To all tabs, this one too.
function tell(message) {
  channel?.postMessage(message);
  hear(message);
}

function hear(message) {
  if (message.type === "event") heard(message);
  else if (message.type === "lost") for (const { handlers } of followed.values()) handlers.lost?.(message.lost);
  else if (message.type === "roll-call" && !document.hidden) tell({ type: "join", tab, wants: wants() });
  else if (message.type === "join") reader?.join(message.tab, message.wants);
  else if (message.type === "leave") reader?.leave(message.tab);
}

function heard({ table, kind, number, data }) {
  const item = followed.get(table);
  if (!item || item.ended || document.hidden) return;
  if (kind === "happening") {
    if (number <= item.last) return; // heard of already: another tab has just joined
    item.last = number;
  }
  item.handlers[kind]?.(data);
  if (kind !== "end") return;
  item.ended = true;
  item.recheck = setTimeout(() => revive(item), FINISHED_RECHECK_MS);
  start();
}

if (channel) channel.onmessage = (event) => hear(event.data);
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); else start(); });
addEventListener("pagehide", stop);
addEventListener("pageshow", (event) => { if (event.persisted && !document.hidden) start(); });

// --- The tab that reads ----------------------------------------------------------------------

class Reader {
  constructor() {
    this.tabs = new Map(); // what each tab wants
    this.present = new Set(); // tabs that have answered the last roll call
    this.calls = setInterval(() => this.callRoll(), ROLL_CALL_MS);
    this.source = null;
    this.delay = RECONNECT_MS;
  }

  close() {
    clearInterval(this.calls);
    clearTimeout(this.timer);
    this.source?.close();
  }

  callRoll() {
    for (const name of this.tabs.keys()) if (!this.present.has(name)) this.leave(name);
    this.present.clear();
    tell({ type: "roll-call" });
  }

  // A tab that comes, or that wants something else, is told everything from its last event on.
  join(name, wanted) {
    this.present.add(name);
    const names = (list) => list?.map(({ table }) => table).join();
    const known = names(this.tabs.get(name)) === names(wanted);
    this.tabs.set(name, wanted);
    if (!known) this.openSoon(JOIN_MS);
  }

  leave(name) {
    if (this.tabs.delete(name) && !this.tabs.size) this.source?.close();
  }

  openSoon(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), milliseconds);
  }

  open() {
    this.source?.close();
    const from = new Map();
    for (const { table, last } of [...this.tabs.values()].flat()) {
      from.set(table, Math.min(last, from.get(table) ?? last));
    }
    if (!from.size) return;
    const query = [...from].map(([table, last]) => `table=${table}/${last}`).join("&");
    this.source = new EventSource(`/api/stream?${query}`);
    for (const kind of KINDS) this.source.addEventListener(kind, (event) => this.pass(kind, event));
    this.source.onopen = () => {
      this.delay = RECONNECT_MS;
      tell({ type: "lost", lost: false });
    };
    this.source.onerror = () => {
      this.source.close(); // a new one asks from the newest event of every table on
      tell({ type: "lost", lost: true });
      this.openSoon(this.delay);
      this.delay = Math.min(2 * this.delay, MAX_RECONNECT_MS);
    };
  }

  pass(kind, event) {
    const data = JSON.parse(event.data);
    const [table, number] = kind === "happening" ? event.lastEventId.split("/") : [data.table];
    for (const wanted of [...this.tabs.values()].flat()) {
      if (wanted.table === table && kind === "happening") wanted.last = Math.max(wanted.last, Number(number));
    }
    tell({ type: "event", table, kind, number: Number(number), data });
    if (kind === "end") this.drop(table);
  }

  // The game is over: its events are not asked for again until a tab asks anew.
  drop(table) {
    for (const [name, list] of this.tabs) this.tabs.set(name, list.filter((one) => one.table !== table));
    if (![...this.tabs.values()].flat().length) this.source?.close();
  }
}
