import type { Dialog } from '@duet/protocol'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { useStore } from '../../shared/observable-store.ts'
import { usePerson } from '../../shared/people/people.ts'
import { messengerRuntime } from './state/messenger-runtime.ts'
import type { MessengerRuntime } from './state/runtime-parts.ts'
import type { MessengerState } from './state/messenger-state.ts'

export function useMessenger(): MessengerRuntime {
  return messengerRuntime(useAppServices())
}

export function useMessengerState<Selected>(select: (state: MessengerState) => Selected): Selected {
  return useStore(useMessenger().state, select)
}

/** The interlocutor as the page knows the user now: events change the store of people. */
export function useInterlocutor({ interlocutor }: Dialog): Dialog['interlocutor'] {
  const known = usePerson(interlocutor.id) ?? interlocutor
  // A deleted user has no name.
  const person = known.nick ? known : { ...known, nick: t('messenger.gone') }
  const { status, sub_status, is_favorite, avatar, avatar_variants, nick } = person
  return { ...interlocutor, status, sub_status, is_favorite, avatar, avatar_variants, nick }
}
