import { limits } from '@duet/protocol/kernel/limits.ts'

/** The path of the first text with a NUL, which PostgreSQL cannot store. Undefined if no text has a NUL. */
export function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined
  for (const key of Object.keys(value)) {
    const found = nulIn((value as Record<string, unknown>)[key])
    if (found !== undefined) return found === '' ? key : `${key}.${found}`
  }
  return undefined
}

/**
 * Whether parsed JSON stays within the depth and the number of keys and elements that any request needs, so
 * that schemas see only small values. Also removes `__proto__`: JSON.parse makes it an own property, and a
 * careless copy would set the prototype.
 */
export function isModest(value: unknown): boolean {
  let entries = 0
  const within = (at: unknown, depth: number): boolean => {
    if (typeof at !== 'object' || at === null) return true
    if (depth > limits.json_depth) return false
    if (Array.isArray(at)) {
      entries += at.length
      return entries <= limits.json_entries && at.every((one) => within(one, depth + 1))
    }
    if (Object.hasOwn(at, '__proto__')) delete (at as Record<string, unknown>)['__proto__']
    for (const key in at) {
      if (++entries > limits.json_entries) return false
      if (!within((at as Record<string, unknown>)[key], depth + 1)) return false
    }
    return true
  }
  return within(value, 1)
}
