import { answer, type Callbacks, WxFailure } from "../wechat/fake_wx.ts";

interface FileOptions extends Callbacks {
  filePath: string;
  data?: string;
  encoding?: string;
}

/** The files of a phone, and what its member chooses in the album. */
export class PhoneFiles {
  /** By their paths. */
  readonly stored = new Map<string, Buffer>();
  /** The pictures that the member takes or chooses next; undefined: they close the album. */
  chosen: Buffer[] | undefined;
  allowsCamera = true;
  /** Whether there is room for another file. */
  hasRoom = true;

  /** Stores a file that WeChat keeps for a while. @returns its path */
  keep(content: Buffer): string {
    const path = `wxfile://tmp_${this.stored.size}.jpg`;
    this.stored.set(path, content);
    return path;
  }

  /** The part of the global `wx`. */
  readonly wx = {
    env: { USER_DATA_PATH: "wxfile://usr" },
    chooseMedia: ({ count, mediaType, ...callbacks }: Callbacks & { count: number; mediaType: string[] }) => {
      if (!this.allowsCamera) return answer(callbacks, failed("chooseMedia:fail auth deny"));
      if (!this.chosen || mediaType.join() !== "image") return answer(callbacks, failed("chooseMedia:fail cancel"));
      const tempFiles = this.chosen
        .slice(0, count)
        .map((content) => ({ tempFilePath: this.keep(content), size: content.length }));
      return answer(callbacks, Promise.resolve({ tempFiles, type: "image", errMsg: "chooseMedia:ok" }));
    },
    getFileSystemManager: () => ({
      readFile: ({ filePath, ...callbacks }: FileOptions) => {
        const content = this.stored.get(filePath);
        // Without an encoding, bytes.
        const data = content && Uint8Array.from(content).buffer;
        void answer(
          callbacks,
          data ? Promise.resolve({ data, errMsg: "readFile:ok" }) : failed("readFile:fail no such file"),
        );
      },
      writeFile: ({ filePath, data, encoding, ...callbacks }: FileOptions) => {
        const isOwn = filePath.startsWith("wxfile://usr/") && encoding === "utf8";
        if (!isOwn || !this.hasRoom)
          return void answer(
            callbacks,
            failed("writeFile:fail the maximum size of the file storage limit is exceeded"),
          );
        this.stored.set(filePath, Buffer.from(data!, "utf8"));
        void answer(callbacks, Promise.resolve({ errMsg: "writeFile:ok" }));
      },
      unlink: ({ filePath }: FileOptions) => void this.stored.delete(filePath),
    }),
  };
}

async function failed(errMsg: string): Promise<never> {
  // Apps get this object, not an error.
  // oxlint-disable-next-line typescript/only-throw-error
  throw new WxFailure(errMsg);
}
