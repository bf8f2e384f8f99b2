import { createHash, createHmac } from "node:crypto";

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * The root of the hash tree over the texts of rows (docs/seals.md).
 * @param secret of the month, from which each row has its salt
 */
export async function rootOfRows(texts: AsyncIterable<string>, secret: string): Promise<{ rows: number; root: string }> {
  const key = Buffer.from(secret, "hex");
  const join = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);
  // Complete trees, each smaller than the one before it. Two of one size are joined as soon as both are there.
  const trees: { size: number; hash: Buffer }[] = [];
  let rows = 0;
  for await (const text of texts) {
    const salt = createHmac("sha256", key).update(text.split("|")[2]!).digest();
    let tree = { size: 1, hash: sha256(Buffer.of(0), salt, text) };
    while (trees.at(-1)?.size === tree.size) tree = { size: 2 * tree.size, hash: join(trees.pop()!.hash, tree.hash) };
    trees.push(tree);
    rows += 1;
  }
  const root = trees.length === 0 ? sha256("") : trees.map(({ hash }) => hash).reduceRight((right, left) => join(left, right));
  return { rows, root: root.toString("hex") };
}
