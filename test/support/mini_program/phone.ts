import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Context, createContext, runInContext } from "node:vm";
import { answer, type Callbacks, FakeWx, WxFailure } from "../wechat/fake_wx.ts";
import { PhoneFiles } from "./phone_files.ts";
import { type Element, elementsOf, outwards, render, textOf } from "./wxml.ts";

type Query = Record<string, string>;
type Handlers = Record<string, (...values: unknown[]) => unknown>;

/** An open page. */
interface OpenPage {
  route: string;
  instance: { data: Record<string, unknown> } & Handlers;
  /** What was typed into inputs that a form reads, by name. */
  entered: Record<string, unknown>;
}

/** What the APIs of navigation take. */
interface Target extends Callbacks {
  url: string;
  events?: Record<string, (value: unknown) => void>;
}

const mostPages = 10;

/** A phone on which WeChat runs a built mini program. Tests read what it shows, and do what a member does. */
export class Phone {
  readonly fake = new FakeWx();
  readonly files = new PhoneFiles();
  language = "zh_CN";
  /** There is no network. */
  isOffline = false;
  /** A token that the store does not take any more, as a header. */
  private endedToken: string | undefined;
  /** Whether the response to a request is lost, after the store has got it. */
  loses: (request: { url: string; method: string }) => boolean = () => false;
  /** What the member answers to the question for consents, and what they were asked. */
  consent: "accept" | "reject" = "accept";
  readonly asked: string[][] = [];
  /** The address that the member chooses in WeChat; undefined: they close the list. */
  address: Record<string, string> | undefined;
  /** Whether the member answers questions with yes. */
  confirms = true;
  allowsAlbum = true;
  /** The pictures in the album. */
  readonly album: Buffer[] = [];
  /** The files that were sent to chats, and whether the member sends them. */
  readonly sent: { fileName: string; content: string }[] = [];
  sends = true;
  /** The addresses of the pictures that were shown large, and the first of them. */
  readonly previews: { urls: string[]; current: string }[] = [];
  /**
   * Other addresses of edge functions, by the beginning of the usual ones: in tests, each function may have its own.
   */
  readonly elsewhere = new Map<string, string>();
  readonly transfers: Record<string, unknown>[] = [];
  readonly toasts: string[] = [];
  clipboard = "";
  badge = "";
  title = "";
  private readonly storage = new Map<string, unknown>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly tabs = new Map<string, OpenPage>();
  private pages: OpenPage[] = [];
  private timers: (() => void)[] = [];
  private isTapping = false;
  private app: Handlers = {};
  private context!: Context;
  private modules = new Map<string, { exports: unknown }>();
  private definition: Record<string, unknown> = {};
  private definitions = new Map<string, Record<string, unknown>>();
  private readonly troubles: unknown[] = [];

  /** @param folder the built mini program */
  constructor(private readonly folder: string) {}

  /** Starts the program, as if it had not run for a while. @param query of a share link, or the scene of a code */
  async launch(query: Query = {}): Promise<void> {
    this.start(query);
    await this.settled();
  }

  private start(query: Query): void {
    this.modules = new Map();
    this.definitions = new Map();
    this.tabs.clear();
    this.pages = [];
    const globals = {
      wx: this.wx,
      App: (app: Handlers) => (this.app = app),
      Page: (page: Record<string, unknown>) => (this.definition = page),
      // Time passes when a test says so.
      setTimeout: (work: () => void) => this.timers.push(work),
      clearTimeout: (timer: number) => void (this.timers[timer - 1] = () => undefined),
      getApp: () => this.app,
      getCurrentPages: () => this.pages.map(({ instance }) => instance),
    };
    this.context = createContext(globals);
    this.require("app.js");
    this.app.onLaunch?.({ query });
    this.app.onShow?.({ query });
    const { pages } = this.json("app.json") as { pages: string[] };
    this.show(pages[0]!, query);
  }

  private async restart(path: string): Promise<void> {
    this.start({});
    void (this.isTab(path.slice(1)) ? this.wx.switchTab({ url: path }) : this.wx.navigateTo({ url: path }));
  }

  /** Opens a page, such as one of a shared link. */
  async open(url: string): Promise<void> {
    await this.wx.navigateTo({ url });
    await this.settled();
  }

  async openTab(url: string): Promise<void> {
    await this.wx.switchTab({ url });
    await this.settled();
  }

  /** The address of the page that is shown. */
  get route(): string {
    return this.page.route;
  }

  /** What the page shows. */
  get screen(): string {
    return textOf(this.root());
  }

  /** Taps what has a text or a label. @param within a text beside it, if there are several */
  async tap(label: string, within?: string): Promise<void> {
    const element = this.find((each) => isTappable(each) && namesOf(each).includes(label), label, within);
    if (element.attributes.disabled) throw new Error(`“${label}” is disabled.`);
    const { page } = this;
    for (const each of outwards(element)) this.tapOne(each, page);
    await this.settled();
  }

  /** Types into an input, and confirms it. @param name of the input, its placeholder or its label */
  async type(name: string, value: string): Promise<void> {
    const element = this.find(
      (each) => ["input", "textarea"].includes(each.tag) && fieldNames(each).includes(name),
      name,
    );
    if (typeof element.attributes.name === "string") this.page.entered[element.attributes.name] = value;
    this.call(element, "input", { value });
    this.call(element, "confirm", { value });
    await this.settled();
  }

  /** Turns a switch, or chooses a value of a picker. @param label a text beside it */
  async change(label: string, value: unknown): Promise<void> {
    const element = this.find((each) => ["switch", "picker"].includes(each.tag), label, label);
    if (typeof element.attributes.name === "string") this.page.entered[element.attributes.name] = value;
    this.call(element, "change", { value });
    await this.settled();
  }

  async pullDown(): Promise<void> {
    this.watch(this.page.instance.onPullDownRefresh?.());
    await this.settled();
  }

  async reachBottom(): Promise<void> {
    this.watch(this.page.instance.onReachBottom?.());
    await this.settled();
  }

  /** Lets the session end in the store, while the phone believes in it. */
  endSession(): void {
    this.endedToken = this.fake.requests.findLast(({ header }) => header?.authorization)!.header!.authorization;
  }

  /** Lets the timers end that are running. */
  async passTime(): Promise<void> {
    for (const work of this.timers) work();
    this.timers = this.timers.map(() => () => undefined);
    await this.settled();
  }

  /** Goes to the page before. */
  async back(): Promise<void> {
    await this.wx.navigateBack();
    await this.settled();
  }

  /** The address that the page shares. */
  async share(): Promise<{ path: string; title: string }> {
    const shared = this.page.instance.onShareAppMessage!({}) as { promise: Promise<{ path: string; title: string }> };
    return await shared.promise;
  }

  /** Waits until nothing is on its way. @throws what a function of the page has thrown */
  async settled(): Promise<void> {
    do {
      await Promise.all(this.pending);
      await new Promise(setImmediate);
    } while (this.pending.size > 0);
    if (this.troubles.length > 0) throw this.troubles.shift();
    // What is shown must be possible to show.
    this.root();
  }

  private get page(): OpenPage {
    return this.pages.at(-1)!;
  }

  private watch(work: unknown): void {
    const watched = Promise.resolve(work)
      .catch((trouble: unknown) => void this.troubles.push(trouble))
      .finally(() => this.pending.delete(watched));
    this.pending.add(watched);
  }

  private json(path: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, path), "utf8"));
  }

  /** Loads a module once, as WeChat does. */
  private require(path: string): unknown {
    const known = this.modules.get(path);
    if (known) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    this.modules.set(path, module);
    const code = readFileSync(join(this.folder, path), "utf8");
    const run = runInContext(`(function (require, module, exports) {${code}\n})`, this.context, { filename: path }) as (
      ...values: unknown[]
    ) => void;
    run((other: string) => this.require(join(dirname(path), other)), module, module.exports);
    return module.exports;
  }

  /** What a page has given to `Page`, which its file calls when it is loaded. */
  private definitionOf(route: string): Record<string, unknown> {
    this.require(`${route}.js`);
    const known = this.definitions.get(route) ?? this.definition;
    this.definitions.set(route, known);
    return known;
  }

  /** Creates a page and shows it on top. */
  private show(route: string, query: Query, events: Target["events"] = {}): OpenPage {
    const definition = this.definitionOf(route);
    const data = JSON.parse(JSON.stringify(definition.data)) as Record<string, unknown>;
    const instance = {
      ...definition,
      data,
      route,
      setData: (changes: Record<string, unknown>) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || /[.[]/.test(name))
            throw new Error(`setData of ${name} to ${JSON.stringify(value) ?? "undefined"}.`);
          data[name] = JSON.parse(JSON.stringify(value));
        }
      },
      getOpenerEventChannel: () => ({ emit: (event: string, value: unknown) => events[event]?.(value) }),
    } as unknown as OpenPage["instance"];
    const page = { route, instance, entered: {} };
    this.pages.push(page);
    instance.onLoad?.(query);
    instance.onShow?.();
    instance.onReady?.();
    return page;
  }

  private root(): Element {
    const { route, instance } = this.page;
    const root: Element = { tag: "page", attributes: {}, dataset: {}, handlers: {}, children: [], parent: undefined };
    render(join(this.folder, `${route}.wxml`), Object.assign(Object.create(null) as object, instance.data), root);
    return root;
  }

  private find(fits: (element: Element) => boolean, label: string, within?: string): Element {
    const found = elementsOf(this.root()).filter(fits);
    const distance = (element: Element) => [...outwards(element)].findIndex((each) => textOf(each).includes(within!));
    // The smallest one, not what contains it.
    found.sort((a, b) => textOf(a).length - textOf(b).length);
    const near =
      within === undefined
        ? found
        : found.filter((each) => distance(each) >= 0).sort((a, b) => distance(a) - distance(b));
    if (!near[0])
      throw new Error(`${this.route} shows no “${label}”${within ? ` beside “${within}”` : ""}: ${this.screen}`);
    return near[0];
  }

  private tapOne(element: Element, page: OpenPage): void {
    const { tag, attributes } = element;
    this.isTapping = true;
    this.call(element, "tap", {}, page);
    if (tag === "button" && attributes["form-type"] === "submit") this.submit(element);
    if (attributes["open-type"] === "chooseAvatar" && this.files.chosen)
      this.call(element, "chooseavatar", { avatarUrl: this.files.keep(this.files.chosen[0]!) }, page);
    this.isTapping = false;
    const url = String(attributes.url);
    if (tag === "navigator")
      this.watch(attributes["open-type"] === "switchTab" ? this.wx.switchTab({ url }) : this.wx.navigateTo({ url }));
  }

  private submit(button: Element): void {
    const form = [...outwards(button)].find(({ tag }) => tag === "form");
    if (!form) throw new Error("A button to submit is in no form.");
    const { entered } = this.page;
    const fields = elementsOf(form).filter(({ attributes }) => typeof attributes.name === "string");
    const value = Object.fromEntries(
      fields.map(({ tag, attributes }) => {
        const initial = tag === "switch" ? attributes.checked === true : (attributes.value ?? "");
        return [attributes.name, entered[attributes.name as string] ?? initial];
      }),
    );
    this.call(form, "submit", { value });
  }

  /** Calls the function of the page that an element names for an event. */
  private call({ handlers, dataset }: Element, event: string, detail: object, { route, instance } = this.page): void {
    const name = handlers[event];
    if (name === undefined) return;
    const handler = instance[name];
    if (typeof handler !== "function") throw new Error(`${route} has no function ${name}.`);
    this.watch(handler.call(instance, { type: event, currentTarget: { dataset }, target: { dataset }, detail }));
  }

  /** Where an address leads. */
  private targetOf(url: string): { route: string; query: Query } {
    const [path = "", search = ""] = url.split("?");
    const { pages } = this.json("app.json") as { pages: string[] };
    if (!pages.includes(path.slice(1)) || !path.startsWith("/")) throw new Error(`There is no page ${url}.`);
    return {
      route: path.slice(1),
      query: Object.fromEntries(
        search
          .split("&")
          .filter(Boolean)
          .map((pair) => pair.split("=")),
      ) as Query,
    };
  }

  private isTab(route: string): boolean {
    const { tabBar } = this.json("app.json") as { tabBar: { list: { pagePath: string }[] } };
    return tabBar.list.some(({ pagePath }) => pagePath === route);
  }

  private close(): void {
    const page = this.pages.pop()!;
    if (!this.isTab(page.route)) page.instance.onUnload?.();
  }

  private readonly request = async (options: Parameters<FakeWx["send"]>[0]): Promise<void> => {
    const { method = "GET", header } = options;
    const [usual, other] = [...this.elsewhere].find(([beginning]) => options.url.startsWith(beginning)) ?? ["", ""];
    const url = other + options.url.slice(usual.length);
    if (this.isOffline) return options.fail?.({ errMsg: "request:fail", errno: 600001 });
    const isEnded = this.endedToken !== undefined && header?.authorization === this.endedToken;
    await this.fake.send({
      ...options,
      url,
      ...(isEnded && { header: { ...header, authorization: `${this.endedToken}-ended` } }),
      success: (response) =>
        this.loses({ url, method })
          ? options.fail?.({ errMsg: "request:fail timeout", errno: 5 })
          : options.success?.(response),
    });
  };

  private readonly download = async (url: string): Promise<object> => {
    const response = await fetch(url);
    return { statusCode: response.status, tempFilePath: this.files.keep(Buffer.from(await response.arrayBuffer())) };
  };

  private async fails(errMsg: string): Promise<never> {
    // Apps get this object, not an error.
    // oxlint-disable-next-line typescript/only-throw-error
    throw new WxFailure(errMsg);
  }

  private readonly wx = {
    ...this.fake.wx,
    ...this.files.wx,
    request: (options: Parameters<FakeWx["send"]>[0]) => this.watch(this.request(options)),
    getAppBaseInfo: () => ({ language: this.language }),
    getStorageSync: (key: string) => this.storage.get(key) ?? "",
    setStorageSync: (key: string, value: unknown) => void this.storage.set(key, value),
    removeStorageSync: (key: string) => void this.storage.delete(key),
    clearStorageSync: () => this.storage.clear(),
    navigateTo: ({ url, events, ...callbacks }: Target) => {
      const { route, query } = this.targetOf(url);
      if (this.isTab(route)) return answer(callbacks, this.fails("navigateTo:fail can not navigateTo a tabbar page"));
      if (this.pages.length >= mostPages)
        return answer(callbacks, this.fails("navigateTo:fail webview count limit exceed"));
      this.show(route, query, events);
      return answer(callbacks, Promise.resolve({ errMsg: "navigateTo:ok" }));
    },
    redirectTo: ({ url, ...callbacks }: Target) => {
      const { route, query } = this.targetOf(url);
      this.close();
      this.show(route, query);
      return answer(callbacks, Promise.resolve({ errMsg: "redirectTo:ok" }));
    },
    navigateBack: (options?: Callbacks) => {
      if (this.pages.length > 1) {
        this.close();
        this.page.instance.onShow?.();
      }
      return answer(options, Promise.resolve({ errMsg: "navigateBack:ok" }));
    },
    switchTab: ({ url, ...callbacks }: Target) => {
      const { route } = this.targetOf(url);
      if (!this.isTab(route)) return answer(callbacks, this.fails("switchTab:fail can not switch to no-tabBar page"));
      const [bottom] = this.pages;
      if (bottom && this.isTab(bottom.route)) this.tabs.set(bottom.route, bottom);
      while (this.pages.length > 0) this.close();
      const known = this.tabs.get(route);
      if (known) {
        this.pages.push(known);
        known.instance.onShow?.();
      } else this.tabs.set(route, this.show(route, {}));
      return answer(callbacks, Promise.resolve({ errMsg: "switchTab:ok" }));
    },
    setNavigationBarTitle: ({ title }: { title: string }) => void (this.title = title),
    setTabBarItem: () => Promise.resolve({}),
    setTabBarBadge: ({ text }: { text: string }) => Promise.resolve((this.badge = text)),
    removeTabBarBadge: () => Promise.resolve((this.badge = "")),
    stopPullDownRefresh: () => Promise.resolve({}),
    showToast: ({ title }: { title: string }) => void this.toasts.push(title),
    showModal: ({ confirmText, cancelText, ...options }: Callbacks & Record<"confirmText" | "cancelText", string>) => {
      const isShort = [...confirmText].length <= 4 && [...cancelText].length <= 4;
      const result = { confirm: this.confirms, cancel: !this.confirms };
      return answer(
        options,
        isShort ? Promise.resolve(result) : this.fails("showModal:fail confirmText length should not large than 4"),
      );
    },
    setClipboardData: ({ data }: { data: string }) => void (this.clipboard = data),
    chooseAddress: (options?: Callbacks) =>
      answer(options, this.address ? Promise.resolve(this.address) : this.fails("chooseAddress:fail cancel")),
    requestSubscribeMessage: ({ tmplIds, ...callbacks }: Callbacks & { tmplIds: string[] }) => {
      if (!this.isTapping)
        return answer(callbacks, this.fails("requestSubscribeMessage:fail can only be invoked by user TAP gesture."));
      if (tmplIds.length < 1 || tmplIds.length > 3)
        return answer(callbacks, this.fails("requestSubscribeMessage:fail tmplIds"));
      this.asked.push([...tmplIds]);
      const answers = Object.fromEntries(tmplIds.map((id) => [id, this.consent]));
      return answer(callbacks, Promise.resolve({ errMsg: "requestSubscribeMessage:ok", ...answers }));
    },
    requestMerchantTransfer: ({ success, fail, ...options }: Callbacks & Record<string, unknown>) => {
      this.transfers.push(options);
      return answer({ success, fail }, Promise.resolve({ errMsg: "requestMerchantTransfer:ok" }));
    },
    shareFileMessage: ({ filePath, fileName, ...callbacks }: Callbacks & Record<"filePath" | "fileName", string>) => {
      if (!this.isTapping)
        return answer(callbacks, this.fails("shareFileMessage:fail can only be invoked by user TAP gesture."));
      if (!this.sends) return answer(callbacks, this.fails("shareFileMessage:fail cancel"));
      this.sent.push({ fileName, content: String(this.files.stored.get(filePath)) });
      return answer(callbacks, Promise.resolve({ errMsg: "shareFileMessage:ok" }));
    },
    previewImage: ({ urls, current }: { urls: string[]; current: string }) =>
      void this.previews.push({ urls: [...urls], current }),
    restartMiniProgram: ({ path }: { path: string }) => this.watch(this.restart(path)),
    downloadFile: ({ url, ...callbacks }: Target) => {
      const file = this.isOffline ? this.fails("downloadFile:fail") : this.download(url);
      this.watch(file.catch(() => undefined));
      return answer(callbacks, file);
    },
    saveImageToPhotosAlbum: ({ filePath, ...callbacks }: Callbacks & { filePath: string }) => {
      if (!this.allowsAlbum) return answer(callbacks, this.fails("saveImageToPhotosAlbum:fail auth deny"));
      this.album.push(this.files.stored.get(filePath)!);
      return answer(callbacks, Promise.resolve({ errMsg: "saveImageToPhotosAlbum:ok" }));
    },
  };
}

const isTappable = ({ tag, handlers, attributes }: Element) =>
  handlers.tap !== undefined ||
  tag === "navigator" ||
  attributes["form-type"] === "submit" ||
  attributes["open-type"] === "chooseAvatar";

/** By what a member calls an element: its label, its text, or a text in it. */
const namesOf = (element: Element): unknown[] => [
  element.attributes["aria-label"],
  textOf(element),
  ...elementsOf(element).flatMap(({ children }) => children),
];

/** By what a member calls an input. */
const fieldNames = (element: Element): unknown[] => {
  const label = [...outwards(element)].find(({ tag }) => tag === "label");
  const words = label ? elementsOf(label).flatMap(({ children }) => children) : [];
  return [element.attributes.name, element.attributes.placeholder, element.attributes["aria-label"], ...words];
};
