import type { System } from '@duet/protocol'

export type Region = NonNullable<System['features']['fingerprint']['region']>

/** The part of the script of Fingerprint Pro, version 4, that is used. */
export interface FingerprintScript {
  start(options: {
    readonly region: Region
    /** Sends hashes instead of the parts of the page's address. */
    readonly urlHashing: {
      readonly path: boolean
      readonly query: boolean
      readonly fragment: boolean
    }
    readonly cache: { readonly storage: 'agent'; readonly duration: number }
  }): FingerprintAgent
}

export interface FingerprintAgent {
  /** @throws when it is blocked, refused, or not answered within the limit in milliseconds */
  get(options: { readonly timeout: number }): Promise<Identification>
}

export interface Identification {
  readonly event_id: string
  /** Absent if the service's account reveals the value to servers only. */
  readonly visitor_id?: string
}

/** Loads the script of the account from the service. The script is not free software, so no bundle contains it. */
export async function loadFingerprintScript(key: string): Promise<FingerprintScript> {
  const url = `https://fpjscdn.net/v4/${encodeURIComponent(key)}`
  return (await import(/* @vite-ignore */ url)) as FingerprintScript
}
