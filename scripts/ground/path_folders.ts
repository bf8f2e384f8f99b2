/** The folders in which programs are looked for. */
export const pathFolders = (): string[] => (process.env.PATH ?? "").split(":").filter(Boolean);
