import { createHash, createHmac } from "node:crypto";

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const join = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);

/** The hash tree over the texts of rows (docs/seals.md), one row after the other. */
export class HashTree {
  rows = 0;
  private readonly key;
  /** Complete trees, each smaller than the one before it. Two of one size are joined as soon as both are there. */
  private readonly trees: { size: number; hash: Buffer }[] = [];

  /** @param secret of the month, from which each row has its salt */
  constructor(secret: string) {
    this.key = Buffer.from(secret, "hex");
  }

  add(text: string): void {
    const salt = createHmac("sha256", this.key).update(text.split("|")[2]!).digest();
    let tree = { size: 1, hash: sha256(Buffer.of(0), salt, text) };
    while (this.trees.at(-1)?.size === tree.size)
      tree = { size: 2 * tree.size, hash: join(this.trees.pop()!.hash, tree.hash) };
    this.trees.push(tree);
    this.rows += 1;
  }

  root(): string {
    const hashes = this.trees.map(({ hash }) => hash);
    return (hashes.length === 0 ? sha256("") : hashes.reduceRight((right, left) => join(left, right))).toString("hex");
  }
}
