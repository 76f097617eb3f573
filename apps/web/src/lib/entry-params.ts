import type { Persistence } from '@duet/client'

/** What an entry link carried (`spec.md` section 2). */
export interface EntryParams {
  ref_code?: string
  email?: string
  to_screen?: 'verify'
  utm_source?: string
  /** Arrived by a link after which the camera starts as soon as the age is confirmed. */
  starts_camera: boolean
  /** Demo only: whom this window signs in as. */
  demo_user_id?: number
  pseudo?: 'long' | 'mirror'
}

const camera_sources = [
  'land',
  'clickadilla_sex_popunder',
  'adsterra_popunder',
  'adsterra_sex-chat_popunder',
]
const longest_code = 64
const longest_email = 254

let read: EntryParams = { starts_camera: false }

/** What this page was entered with; the address bar no longer shows it. */
export function entryParams(): EntryParams {
  return read
}

/** Reads the query once and answers the address without it; the pseudo-locale of development stays. */
export function takeEntryParams(
  address: URL,
  pathRefCode?: string,
): { params: EntryParams; rest: string } {
  const given = (name: string, limit: number) =>
    address.searchParams.get(name)?.slice(0, limit) || undefined
  const ref_code = given('rc', longest_code) ?? pathRefCode
  const email = given('email', longest_email)
  const utm_source = given('utm_source', longest_code)
  const pseudo = given('pseudo', longest_code)
  const demo_user_id = Number(given('demo', longest_code))
  const params: EntryParams = {
    starts_camera: [utm_source, given('cam', longest_code)].some(
      (value) => value && camera_sources.includes(value),
    ),
    ...(ref_code && { ref_code }),
    ...(email && { email }),
    ...(utm_source && { utm_source }),
    ...(given('to-screen', longest_code) === 'verify' && { to_screen: 'verify' as const }),
    ...(Number.isInteger(demo_user_id) && demo_user_id > 0 && { demo_user_id }),
    ...((pseudo === 'long' || pseudo === 'mirror') && { pseudo }),
  }
  const kept = params.pseudo ? `?pseudo=${params.pseudo}` : ''
  return { params, rest: `${address.pathname}${kept}${address.hash}` }
}

/** At the start of the page: keeps what was read and cleans the address bar. A referral outlives a reload. */
export function readEntryParams(persistence: Persistence): void {
  const { params, rest } = takeEntryParams(new URL(location.href))
  const { ref_code = persistence.get('ref_code') } = params
  if (ref_code) persistence.set('ref_code', ref_code)
  read = { ...params, ...(ref_code && { ref_code }) }
  if (location.search) history.replaceState(history.state, '', rest)
}
