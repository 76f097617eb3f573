import { RefusedError } from '@duet/client'
import { useQuery } from '@tanstack/react-query'
import type { Permission, UserInterlocutor } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../app-services.tsx'
import { isRegistered } from '../account/auth-status.ts'
import { usePress } from '../controls/use-press.ts'
import { dialogs } from '../dialogs.ts'
import { t, type TextId } from '../i18n.ts'
import { useStore } from '../observable-store.ts'
import { useSellsPremium } from '../queries.ts'
import { formatRoughDuration } from '../texts/durations.ts'
import { showToast } from '../toasts.ts'
import { callPresent } from '../video/call-present.ts'
import { videoInUse } from '../video/video-in-use.ts'
import { useMembership } from './use-membership.ts'

const FRESH_MS = 10_000

/** Refusals that name the state of the other user: a press now would come to nothing. */
const REASONS: Readonly<Partial<Record<RefusedError['refusal'], TextId>>> = {
  user_offline: 'person.call_offline',
  in_call: 'person.call_busy',
  blocked: 'person.call_blocked',
  not_found: 'person.call_offline',
}

/**
 * Calls a user. The call rings on whichever page the two are. A visitor logs in first, and then the call
 * follows.
 *
 * @param known the permission that came with the user, for as long as the user's status is the same
 */
export function useCall(person: UserInterlocutor, known?: Permission) {
  const { connection } = useAppServices()
  const membership = useMembership()
  const reason = useReason(person, known)
  const sellsPremium = useSellsPremium()
  const { busy, press } = usePress(
    async () => {
      if (!(await membership())) return
      videoInUse.set(true)
      const random_id = crypto.randomUUID()
      await connection.act('INVITE_TO_CHAT', { user_id: person.id, random_id })
    },
    (error) => error instanceof RefusedError && showRefusal(error, person, sellsPremium),
  )
  const call = () => (reason ? showToast({ title: reason }) : void press())
  return { busy, reason, call }
}

/** Why this user cannot be called now, as a sentence. The server is asked again when the status of the user changes. */
function useReason(person: UserInterlocutor, known: Permission | undefined): string | undefined {
  const { connection } = useAppServices()
  const own = useOwnUser()
  const isInCall = useStore(callPresent)
  const { id, nick, status, sub_status } = person
  const { data } = useQuery({
    // A search or a public call of the user changes nothing.
    queryKey: ['can_call', id, own?.id, status, sub_status === 'private'],
    queryFn: () => connection.http.get('can_call', { user_id: id }),
    enabled: isRegistered(own) && own?.role !== person.role,
    staleTime: FRESH_MS,
    initialData: known,
  })
  if (isInCall) return t('person.call_own')
  const text = data?.name && REASONS[data.name]
  return text && t(text, { nick })
}

/** True if the refusal has its own sentence here. */
function showRefusal(
  { refusal, additional }: RefusedError,
  person: UserInterlocutor,
  sellsPremium: boolean,
): boolean {
  const { nick } = person
  if (refusal === 'no_balance') {
    dialogs.open('not_balance', { last_interlocutor: person })
    return true
  }
  if (refusal === 'too_many') {
    const seconds = Number(additional['retry_after'] ?? 60)
    showToast({
      title: t('person.call_soon', { nick }),
      text: t('person.call_soon_text', { duration: formatRoughDuration(seconds) }),
    })
    return true
  }
  if (refusal === 'premium_only') {
    showToast({
      title: t('person.call_premium', { nick }),
      // Where nothing is sold, nothing offers to buy.
      ...(sellsPremium && {
        action: {
          label: t('action.see_premium'),
          onPress: () => dialogs.open('not_balance', { place: 'premium' }),
        },
      }),
    })
    return true
  }
  const text = additional['who'] === 'you' ? 'person.call_own' : REASONS[refusal]
  if (!text) return false
  showToast({ title: t(text, { nick }) })
  return true
}

/** The permission of an answer, unless the status of the user has changed since. */
export function stillKnown(
  answer: UserInterlocutor & { readonly can_call?: Permission | undefined },
  now: Pick<UserInterlocutor, 'status' | 'sub_status'>,
): Permission | undefined {
  const isSame = answer.status === now.status && answer.sub_status === now.sub_status
  return isSame ? answer.can_call : undefined
}
