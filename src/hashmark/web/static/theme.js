// Light or dark as the system says, unless somebody has chosen; before the page is drawn.
(() => {
  const root = document.documentElement;
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not kept */ } };
  const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const chosen = kept("theme");
  if (chosen) root.dataset.theme = chosen;
  if (kept("still") === "yes") root.dataset.still = "";
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button?.addEventListener("click", () => {
      const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      keep("theme", root.dataset.theme);
    });
  });
  addEventListener("change", (event) => {
    if (event.target.id !== "still") return;
    keep("still", event.target.checked ? "yes" : "no");
    root.toggleAttribute("data-still", event.target.checked);
  });
})();
