// Search runs in a worker, and browsers start none for pages that are opened from the disk. There a
// hidden frame does its work instead: it runs the worker's script and passes messages both ways,
// copied, and never at once, as a worker does.
if (location.protocol === "file:") {
  const pass = (to, data) => setTimeout((copy) => to()?.({ data: copy }), 0, structuredClone(data));

  window.Worker = class {
    constructor(address) {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const script = inside.document.createElement("script");
      inside.postMessage = (data) => pass(() => this.onmessage, data);
      this.frame = frame;
      this.ready = new Promise((done) => {
        script.onload = done;
        script.onerror = () => this.onerror?.(new Event("error"));
      });
      script.src = address;
      inside.document.body.append(script);
    }

    postMessage(data) {
      const copy = structuredClone(data);
      this.ready.then(() => pass(() => this.frame.contentWindow?.onmessage, copy));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
