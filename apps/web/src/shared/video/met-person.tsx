import { Suspense } from 'react'
import type { Receipt, UserInterlocutor } from '@duet/protocol'
import { t } from '../i18n.ts'
import { lazyScreen } from '../lazy-screen.ts'
import { useOwnUser } from '../account/own-user.tsx'
import { CallQuestion } from './call-question-card.tsx'

/** Loaded with the first ended call: the start screen does not need it. */
const PersonActions = lazyScreen(
  () => import('../people/actions/person-actions.tsx'),
  (module) => module.PersonActions,
)

interface MetPersonProps {
  readonly left: {
    readonly receipt: Receipt
    readonly person: UserInterlocutor
    /** The two saw each other, perhaps for less than a second. */
    readonly is_met?: boolean
  }
  /** On a screen that does not name the other user elsewhere. */
  readonly isNamed?: boolean
  readonly onBlocked: () => void
}

/** After a talk, the ways for a member to reach or block the other user. */
export function MetPerson({ left, isNamed, onBlocked }: MetPersonProps) {
  const { receipt, person, is_met: isMet = false } = left
  const { is_member } = useOwnUser()
  if (!is_member || (receipt.seconds === 0 && !isMet)) return null
  return (
    <>
      {isNamed ? (
        <p className="note mt-4 text-text-2">{t('video.after.you_left', { nick: person.nick })}</p>
      ) : null}
      <Suspense fallback={<span className="h-11" />}>
        <PersonActions person={person} session_id={receipt.session_id} onBlocked={onBlocked} />
      </Suspense>
      <CallQuestion receipt={receipt} />
    </>
  )
}
