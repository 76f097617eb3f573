interface ScriptPolicy {
  createScriptURL(address: string): unknown
}
interface PolicyRules {
  createScriptURL?(address: string): string
  createHTML?(markup: string): string | null
}
interface PolicyFactory {
  readonly defaultPolicy: object | null
  createPolicy(name: string, rules: PolicyRules): ScriptPolicy
}

let policy: ScriptPolicy | undefined

/**
 * The address of a worker in the type that the browser demands. The server's policy requires Trusted Types, so that no
 * text becomes a script. Only addresses of this origin pass.
 */
export function trustedScript(address: string): string {
  const trustedTypes = policyFactory()
  if (!trustedTypes) return address
  policy ??= trustedTypes.createPolicy('duet', { createScriptURL: ownAddress })
  // The browser's own type. As a text it is the address.
  return policy.createScriptURL(address) as string
}

/** @throws if the address belongs to another origin or is not fetched from a server */
export function ownAddress(address: string): string {
  const { origin, protocol } = new URL(address, location.href)
  // A `blob:` address has this origin too, but the page made its content.
  if (origin !== location.origin || protocol !== location.protocol)
    throw new TypeError('A script of another origin is not trusted')
  return address
}

/**
 * Lets a library without Trusted Types assign exactly this markup. Every other text stays refused. A document has one
 * such policy, so only the first call counts.
 */
export function permitMarkup(permitted: string): void {
  const trustedTypes = policyFactory()
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', {
    createHTML: (markup) => (markup === permitted ? markup : null),
  })
}

function policyFactory(): PolicyFactory | undefined {
  return (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
}
