import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useEffect } from 'react'
import type { UserInterlocutor } from '@duet/protocol'
import { IconButton, Menu } from '@duet/ui'
import { useOwnUser } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { CallIconButton } from './call-button.tsx'
import { LikeButton } from './like-button.tsx'
import { personById, storePeople, usePerson } from './people.ts'
import { useBlock } from './use-block.ts'
import { usePersonMenu } from './use-person-menu.tsx'
import { WriteButton } from './write-button.tsx'

interface PersonActionsProps {
  readonly person: UserInterlocutor
  /** The call that the two had: a report is about it. */
  readonly session_id?: number
  /** Called after the user is blocked. */
  readonly onBlocked: () => unknown
}

/**
 * The actions for a user from an ended call: like, write, call, favourite, report, block. For a girl, Block is one press
 * away.
 */
export function PersonActions({ person: met, session_id, onBlocked }: PersonActionsProps) {
  const person = usePerson(met.id) ?? met
  const isGirl = useOwnUser()?.role === 'girl'
  useEffect(() => {
    // A change of the favourite reaches only a stored user.
    if (!personById(met.id)) storePeople([met])
  }, [met])
  return (
    <div className="flex w-full max-w-[340px] flex-wrap justify-center gap-2.5">
      <LikeButton person={person} className="min-w-[104px] flex-1" />
      <WriteButton person={person} className="min-w-[104px] flex-1" />
      <CallIconButton person={person} />
      {isGirl ? <BlockButton person={person} onBlocked={onBlocked} /> : null}
      <MoreActions
        person={person}
        session_id={session_id}
        onBlocked={onBlocked}
        hasBlock={!isGirl}
      />
    </div>
  )
}

function BlockButton({ person, onBlocked }: PersonActionsProps) {
  const { busy, block } = useBlock(person, onBlocked)
  return (
    <IconButton
      label={t('person.block_name', { nick: person.nick })}
      busy={busy}
      icon={<ProhibitIcon size={20} />}
      onClick={block}
    />
  )
}

/** Favourite and report, and Block where it has no own button. */
export function MoreActions({
  person,
  session_id,
  onBlocked,
  hasBlock,
}: PersonActionsProps & { hasBlock: boolean }) {
  const { busy, favourite, report, block } = usePersonMenu(person, { session_id, onBlocked })
  return (
    <Menu
      trigger={
        <IconButton
          label={t('word.more')}
          busy={busy}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={[favourite, report, ...(hasBlock ? [block] : [])]}
    />
  )
}
