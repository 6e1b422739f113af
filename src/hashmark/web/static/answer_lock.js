// Nothing is answered by accident: a new question takes no input for a moment, a second click that
// belongs to the first is dropped, and a key that is held down plays once.
const NEW_QUESTION_MILLISECONDS = 400;
const SECOND_CLICK_MILLISECONDS = 700; // since the last answer: a slow double click ends before

export function answerLock(main) {
  let [answered, timer] = [0, 0];

  function lock() {
    const since = performance.now() - answered;
    const rest = answered ? SECOND_CLICK_MILLISECONDS - since : 0;
    main.setAttribute("data-locked", "");
    clearTimeout(timer);
    timer = setTimeout(() => main.removeAttribute("data-locked"), Math.max(NEW_QUESTION_MILLISECONDS, rest));
  }

  // Browsers press a focused button again and again while Enter is held.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
  }, true);

  return {
    lock,
    answer() { answered = performance.now(); },
    get isLocked() { return main.hasAttribute("data-locked"); },
  };
}
