interface ScriptPolicy {
  createScriptURL(address: string): unknown
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): ScriptPolicy
}

let policy: ScriptPolicy | undefined

/**
 * The address of a worker as the browser takes it: the server's policy demands Trusted Types, so that no text becomes
 * a script. Only addresses of this origin pass.
 */
export function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  if (!trustedTypes) return address
  policy ??= trustedTypes.createPolicy('duet', { createScriptURL: ownAddress })
  // The browser's own type; where a text is expected it is the address.
  return policy.createScriptURL(address) as string
}

/** @throws when the address is one of another origin, or none that is fetched from a server */
export function ownAddress(address: string): string {
  const { origin, protocol } = new URL(address, location.href)
  // The origin of `blob:` is this one too, but its content was made in the page.
  if (origin !== location.origin || protocol !== location.protocol)
    throw new TypeError('A script of another origin is not trusted')
  return address
}
