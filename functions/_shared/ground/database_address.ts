/** Splits the address of a database with several servers, `host:port,host:port`, into one address for each. */
export function addressesOf(url: string): string[] {
  const [, before = "", servers = url, after = ""] = /^([^:]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return servers.split(",").map((server) => before + server + after);
}

/** @throws Error that says what is wrong with the address of a database, which may have several servers */
export function checkAddress(variable: string, url: string): void {
  for (const address of addressesOf(url)) {
    if (!URL.canParse(address))
      throw new Error(`${variable} is not an address. Encode special characters of the password, such as / and #.`);
    const { hostname, searchParams } = new URL(address);
    if (hostname === "") throw new Error(`${variable} names no server.`);
    const target = searchParams.get("target_session_attrs") ?? "primary";
    if (target !== "primary")
      throw new Error(
        `${variable} has target_session_attrs=${target}. The functions write, so it must be primary; several servers need no target_session_attrs.`,
      );
  }
}
