import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { ThumbsUpIcon } from '@phosphor-icons/react/dist/csr/ThumbsUp'
import type { UserInterlocutor } from '@duet/protocol'
import type { MenuEntry } from '@duet/ui'
import { t } from '../i18n.ts'
import { report, type ReportInput } from './report.ts'
import { useBlock } from './use-block.ts'
import { useFavourite } from './use-favourite.ts'
import { useLike } from './use-like.ts'
import { useWrite } from './use-write.ts'

type PersonEntry = Exclude<MenuEntry, 'line'> & { label: string }

interface PersonMenuOptions {
  /** The call that the two had: a like and a report are about it. */
  readonly session_id?: number | undefined
  /** An older like is known. */
  readonly isLiked?: boolean | undefined
  /** Leaves the screen that showed the user. */
  readonly onBlocked?: () => unknown
}

/** The entries for a user, of which each menu shows some. Their texts are in the catalogue `favourites`. */
export function usePersonMenu(
  person: UserInterlocutor,
  { session_id, isLiked, onBlocked = () => {} }: PersonMenuOptions = {},
) {
  const { nick, is_favorite } = person
  const writing = useWrite(person)
  const favourite = useFavourite(person)
  const like = useLike(person, {
    isLiked,
    ...(session_id !== undefined && { sessionId: session_id }),
  })
  const blocking = useBlock(person, onBlocked)
  return {
    busy: writing.busy || favourite.busy || like.busy || blocking.busy,
    write: {
      label: t('person.write_to', { nick }),
      icon: <ChatCircleTextIcon size={18} />,
      onSelect: writing.write,
    },
    like: {
      label: t(like.isLiked ? 'person.unlike_name' : 'person.like_name', { nick }),
      icon: <ThumbsUpIcon size={18} weight={like.isLiked ? 'fill' : 'regular'} />,
      onSelect: like.toggle,
    },
    favourite: {
      label: t(is_favorite ? 'favourite.remove' : 'favourite.add'),
      icon: <HeartIcon size={18} weight={is_favorite ? 'fill' : 'regular'} />,
      onSelect: favourite.toggle,
    },
    report: reportEntry({ person, ...(session_id !== undefined && { session_id }) }),
    block: {
      label: t('action.block'),
      icon: <ProhibitIcon size={18} />,
      danger: true,
      onSelect: blocking.block,
    },
  } satisfies Record<string, PersonEntry | boolean>
}

/** A user who is not reachable any more can still be reported. */
export function reportEntry(input: ReportInput): PersonEntry {
  return {
    label: t('action.report'),
    icon: <FlagIcon size={18} />,
    onSelect: () => report(input),
  }
}
