import type { UserInterlocutor } from '@duet/protocol'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { useOwnUser } from '../../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { usePerson } from '../../../shared/people/people.ts'
import { callPresent } from '../../../shared/video/call-present.ts'

type Input = OpenDialogProps<'not_balance'>['input']

/** The reason why the user needs minutes, and the person behind it. */
export interface Story {
  readonly person: UserInterlocutor
  readonly title: string
  readonly text: string
}

const SECONDS_A_MINUTE = 60

/** Undefined: the shop was opened for no person. */
export function useStory(input: Input): Story | undefined {
  const person = usePerson(input.last_interlocutor?.id) ?? input.last_interlocutor
  const isInCall = useStore(callPresent)
  const missing = useMissing(input)
  if (!person) return undefined
  const { nick } = person
  if (input.place === 'gift')
    return { person, title: t('billing.story.gift', { nick }), text: missing }
  const minutes = Math.floor((input.talked_seconds ?? 0) / SECONDS_A_MINUTE)
  const title =
    minutes > 0 ? t('billing.story.talked', { nick, minutes }) : t('billing.story.person', { nick })
  if (!input.has_minutes) return { person, title, text: t('billing.story.spent') }
  return { person, title, text: t(isInCall ? 'billing.story.low' : 'billing.story.over') }
}

/** The minutes that the balance lacks for a gift. A payment may arrive meanwhile. */
function useMissing({ needed = '0' }: Input): string {
  const formatAmount = useAmountFormat()
  const count = Number(needed) - Number(useOwnUser()?.balance ?? '0')
  if (count <= 0) return t('billing.story.gift_text')
  return t('billing.story.missing', { count, value: formatAmount('diamond', count.toFixed(2)) })
}
