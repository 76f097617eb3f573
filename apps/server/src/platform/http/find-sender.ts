import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import { createPort } from '../../core/port.ts'
import type { UserId } from '../../core/ids.ts'
import type { Sender, Staff } from '../../core/viewer.ts'
import type { TransportContext } from '../realtime/transport-context.ts'
import { hostPurpose, isOfficeNetwork, officeOrigins } from './office-origin.ts'
import { findHeader, findOrigin } from './request-parts.ts'

/** The cookie of a session of the back office. Browsers accept the name only with Secure, Path=/ and without Domain. */
export const STAFF_COOKIE = '__Host-duet_staff'

/** The member of staff of a session's token; undefined when the session has ended. */
export const staffSessions = createPort<
  ((app: App, token: string, address: string) => Promise<Staff | undefined>) | undefined
>('the sessions of staff', undefined)

/** The user of the credential of a report about a call. Refuses session_invalid, too_many. */
export const reporters = createPort<
  ((app: App, headers: FastifyRequest['headers']) => Promise<UserId>) | undefined
>('the senders of reports', undefined)

/** Undefined for a request that is no report. */
export async function findReporter(
  app: App,
  { credential }: Endpoint,
  { headers }: FastifyRequest,
): Promise<UserId | undefined> {
  return credential === 'project' ? reporters.get(app)?.(app, headers) : undefined
}

/** The sender of an HTTP request by the credential of its contract; undefined when the credential is no longer valid. */
export async function findSender(
  { app, identityProvider }: TransportContext,
  { credential = 'token', who }: Endpoint,
  request: FastifyRequest,
  address: string,
): Promise<Sender | undefined> {
  const visitor = { kind: 'none' as const }
  if (credential === 'staff') return findStaff(app, who, request, address)
  if (credential !== 'token' && credential !== 'files') return visitor
  const isFiles = credential === 'files'
  const token = findHeader(
    request,
    isFiles ? 'user-access-token' : 'chat-token',
    limits.token_characters,
  )
  if (token === undefined) return visitor
  return isFiles ? identityProvider?.byFsToken?.(app, token) : identityProvider?.byToken(app, token)
}

/**
 * A page of another origin may neither act with the cookie of staff nor sign a browser in. Where the office has an origin of its
 * own, pages of users are another origin.
 */
async function findStaff(
  app: App,
  who: Endpoint['who'],
  request: FastifyRequest,
  address: string,
): Promise<Sender | undefined> {
  // Before the cookie is read: a stolen session is of no use elsewhere.
  if (!isOfficeNetwork(app.config, address)) return undefined
  const site = request.headers['sec-fetch-site']
  const isForeign =
    hostPurpose(app.config, request) === 'users' ||
    (request.headers.origin !== undefined && !findOrigin(request, officeOrigins(app.config))) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (isForeign) return undefined
  // The entrance is open to a browser with the cookie of a session that has ended.
  if (who === 'any') return { kind: 'none' }
  const token = findCookie(request.headers.cookie, STAFF_COOKIE)
  if (token === undefined) return { kind: 'none' }
  return staffSessions.get(app)?.(app, token, address)
}

function findCookie(header: string | undefined, name: string): string | undefined {
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim())
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
  return value && value.length <= limits.token_characters ? value : undefined
}
