/**
 * Returns the form of an address that rules use. It has no dot after the host. Letters, digits and `-._~` in the path are not
 * percent-encoded, because both forms are the same address (RFC 3986, 6.2.2.2).
 */
export function resourceOf({ protocol, host, pathname }: Record<"protocol" | "host" | "pathname", string>): string {
  const path = pathname.replaceAll(/%([2-7][\da-f])/gi, (encoded, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(letter) ? letter : encoded.toUpperCase();
  });
  return `${protocol}//${host.replace(/\.(?=:\d+$|$)/, "")}${path}`;
}
