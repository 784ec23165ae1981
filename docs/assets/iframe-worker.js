// Search in pages that are opened from a disk: there browsers refuse web workers, so the worker runs in a hidden frame.
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      addEventListener("message", (event) => {
        if (event.source === this.frame.contentWindow) this.receive(event.data);
      });
      const inside = this.frame.contentWindow;
      inside.importScripts = (...urls) => Promise.all(urls.map((one) => load(inside.document, one)));
      const post = (data) => postMessageFrom(inside, data);
      load(inside.document, url, () => { inside.postMessage = post; }).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    postMessage(data) {
      if (this.ready) this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      else this.waiting.push(data);
    }

    receive(data) {
      const event = new MessageEvent("message", { data });
      if (this.onmessage) this.onmessage(event);
      this.dispatchEvent(event);
    }

    terminate() {
      this.frame.remove();
    }
  }

  const postMessageFrom = (inside, data) =>
    dispatchEvent(new MessageEvent("message", { data, source: inside }));

  const load = (page, url, before = () => {}) =>
    new Promise((resolve, reject) => {
      const script = page.createElement("script");
      before();
      script.src = new URL(url, location.href).href;
      script.onload = resolve;
      script.onerror = reject;
      page.body.append(script);
    });

  window.IFrameWorker = FrameWorker;
  window.Worker = FrameWorker;
}
