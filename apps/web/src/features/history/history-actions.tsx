import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { ThumbsUpIcon } from '@phosphor-icons/react/dist/csr/ThumbsUp'
import type { PastCall, UserInterlocutor } from '@duet/protocol'
import { IconButton, Menu, type MenuEntry } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { CallIconButton } from '../../shared/people/call-button.tsx'
import { report } from '../../shared/people/report.ts'
import { useBlock } from '../../shared/people/use-block.ts'
import { stillKnown } from '../../shared/people/use-call.ts'
import { useFavourite } from '../../shared/people/use-favourite.ts'
import { useLike } from '../../shared/people/use-like.ts'
import { useWrite } from '../../shared/people/use-write.ts'
import { useForget } from './use-history.ts'

/** The ways to the other user of a past call: call, write, like, favourite, report, block. */
export function HistoryActions({ person, item }: { person: UserInterlocutor; item: PastCall }) {
  const { nick } = person
  const forget = useForget()
  const writing = useWrite(person)
  const favourite = useFavourite(person)
  const like = useLike(person, item.session_id === null ? {} : { sessionId: item.session_id })
  const { busy, block } = useBlock(person, () => forget(person.id))
  return (
    <span className="flex shrink-0 items-center gap-1">
      <CallIconButton
        person={person}
        known={
          item.user_interlocutor
            ? stillKnown({ ...item.user_interlocutor, can_call: item.can_call }, person)
            : undefined
        }
        variant="quiet"
      />
      <IconButton
        variant="quiet"
        className="max-md:hidden"
        label={t('person.write_to', { nick })}
        busy={writing.busy}
        icon={<ChatCircleTextIcon size={20} />}
        onClick={writing.write}
      />
      <Menu
        trigger={
          <IconButton
            variant="quiet"
            label={t('history.more', { nick })}
            busy={busy || favourite.busy || like.busy}
            icon={<DotsThreeIcon size={24} weight="bold" />}
          />
        }
        entries={[
          {
            label: t('person.write_to', { nick }),
            icon: <ChatCircleTextIcon size={18} />,
            onSelect: writing.write,
          },
          {
            label: t(like.isLiked ? 'person.unlike_name' : 'person.like_name', { nick }),
            icon: <ThumbsUpIcon size={18} weight={like.isLiked ? 'fill' : 'regular'} />,
            onSelect: like.toggle,
          },
          {
            label: t(person.is_favorite ? 'favourite.remove' : 'favourite.add'),
            icon: <HeartIcon size={18} weight={person.is_favorite ? 'fill' : 'regular'} />,
            onSelect: favourite.toggle,
          },
          'line',
          reportEntry(person, item),
          {
            label: t('action.block'),
            icon: <ProhibitIcon size={18} />,
            danger: true,
            onSelect: block,
          },
        ]}
      />
    </span>
  )
}

/** A user who is not reachable any more can still be reported. */
export function GoneActions({ item }: { item: PastCall }) {
  if (item.session_id === null) return null
  const nick = t('history.gone')
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('history.more', { nick })}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={[reportEntry({ id: item.user_id, nick }, item)]}
    />
  )
}

function reportEntry(
  person: Pick<UserInterlocutor, 'id' | 'nick'>,
  { session_id }: PastCall,
): MenuEntry {
  return {
    label: t('action.report'),
    icon: <FlagIcon size={18} />,
    onSelect: () => report({ person, ...(session_id !== null && { session_id }) }),
  }
}
