import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Answer } from '@duet/protocol'
import { newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { SystemFields } from '../../../core/hooks.ts'
import type { App, AppContext } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Member, Viewer } from '../../../core/viewer.ts'
import { isUnavailable } from '../unavailable.ts'
import { notifyUserInfo, TERMS_VERSION, userById } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import { AGE_RULE_VERSION, isProofMissing, type Place, proofOfPlace } from './age-rules.ts'
import { addProof, decideProof } from './proof-store.ts'
import { findLastProof, findOpenProofs, hasValidProof } from './queries.ts'

/** The page where a user proves the age by the own documents, where no provider is configured. */
const OWN_PAGE = '/verification/'

/** A session of a provider ends long before. */
const OPEN_HOURS = 24

/** Whether this member must prove the age before a search, where the last connection came from. */
export async function needsAgeProof(app: AppContext, db: Db, user_id: UserId): Promise<boolean> {
  const countries = setting(app, 'age_proof_countries')
  if (countries.length === 0) return false
  const row = await userById(db, user_id)
  if (!row) return false
  const facts = {
    role: row.role as Role | null,
    place: { country: row.country, region: row.region },
    is_verified: row.verified_at !== null,
    has_proof: false,
  }
  if (!isProofMissing(facts, countries)) return false
  return !(await hasValidProof(db, user_id, app.clock.now()))
}

/** @throws Refusal `age_unconfirmed`, with the proof that is asked for */
export async function assertAgeProven(app: App, { id }: Pick<Member, 'id'>): Promise<void> {
  if (await needsAgeProof(app, app.db, id))
    refuse('age_unconfirmed', { proof: 'provider', provider: providerName(app) })
}

/** The proof that the country or state of a connection asks of a guy; visitors are told before they register. */
export function ageGate(app: AppContext, viewer: Viewer, place: Place): SystemFields['age_gate'] {
  const role = viewer.kind === 'member' ? viewer.role : null
  const proof = proofOfPlace(place, role, setting(app, 'age_proof_countries'))
  return {
    proof,
    ...(proof === 'provider' && { provider: providerName(app) }),
    terms_version: TERMS_VERSION,
  }
}

export function providerName({ age }: Pick<AppContext, 'age'>): string {
  return age?.name ?? 'documents'
}

/** Whether a proof is required, and its state. The state of a pending proof is read from the provider. */
export async function ageProof(app: App, viewer: Member): Promise<Answer<'GET age/proof'>> {
  const since = app.clock.now().subtract({ hours: OPEN_HOURS })
  // A failed attempt may be followed by a successful one of the same session.
  const [last, ...earlier] = await findOpenProofs(app.db, viewer.id, since)
  if (last) await readResult(app, viewer.id, last)
  for (const proof of earlier)
    await readResult(app, viewer.id, proof).catch((error: unknown) =>
      app.log.warn({ err: error }, 'an earlier session of an age proof was not read'),
    )
  const provider = providerName(app)
  if (!(await needsAgeProof(app, app.db, viewer.id))) return { state: 'not_needed', provider }
  const now = await findLastProof(app.db, viewer.id)
  const state = now?.state === 'pending' || now?.state === 'failed' ? now.state : 'needed'
  return { state, provider }
}

/** Starts a proof: where the user goes to. Refuses method_unavailable while the provider does not answer. */
export async function startAgeProof(
  app: App,
  viewer: Member,
  _input: Record<never, never>,
  { country }: RequestContext,
): Promise<Answer<'POST age/proof'>> {
  const { age } = app
  if (!age) return { url: OWN_PAGE }
  const proof_id = newUuid()
  try {
    const { session_id, url } = await age.start({
      reference: proof_id,
      country: country ?? viewer.country ?? 'GB',
      return_url: `${app.config.origins[0]!}${OWN_PAGE}`,
    })
    await app.transact((tx) =>
      addProof(tx, {
        proof_id,
        user_id: viewer.id,
        provider: age.name,
        session_id,
        country: country ?? viewer.country ?? '',
        rule_version: AGE_RULE_VERSION,
        threshold: age.threshold,
      }),
    )
    return { url }
  } catch (error) {
    return unavailable(app, error)
  }
}

function unavailable(app: App, error: unknown): never {
  if (!isUnavailable(error)) throw error
  app.log.warn({ err: error }, 'the provider of age proofs did not answer')
  return refuse('method_unavailable')
}

async function readResult(
  app: App,
  user_id: UserId,
  { proof_id, session_id }: { readonly proof_id: string; readonly session_id: string },
): Promise<void> {
  if (!app.age) return
  const result = await app.age
    .readResult(session_id)
    .catch((error: unknown) => unavailable(app, error))
  if (result.state === 'pending') return
  await app.transact(async (tx) => {
    const until =
      result.state === 'passed' ? tx.now.add({ hours: 24 * setting(app, 'age_proof_days') }) : null
    const isDecided = await decideProof(tx, proof_id, result, until)
    if (isDecided && result.state === 'passed') await notifyUserInfo(tx, user_id)
  })
}
