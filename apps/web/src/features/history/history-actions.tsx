import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import type { PastCall, UserInterlocutor } from '@duet/protocol'
import { IconButton, Menu, type MenuEntry } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { CallIconButton } from '../../shared/people/call-button.tsx'
import { stillKnown } from '../../shared/people/use-call.ts'
import { reportEntry, usePersonMenu } from '../../shared/people/use-person-menu.tsx'
import { WriteIconButton } from '../../shared/people/write-button.tsx'
import { useForget } from './use-history.ts'

/** The ways to the other user of a past call: call, write, like, favourite, report, block. */
export function HistoryActions({ person, item }: { person: UserInterlocutor; item: PastCall }) {
  const { nick } = person
  const forget = useForget()
  const { busy, write, like, favourite, report, block } = usePersonMenu(person, {
    session_id: item.session_id ?? undefined,
    onBlocked: () => forget(person.id),
  })
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
      <WriteIconButton person={person} variant="quiet" className="max-md:hidden" />
      <MoreMenu nick={nick} busy={busy} entries={[write, like, favourite, 'line', report, block]} />
    </span>
  )
}

/** The actions that a swipe on the row shows. The menu of the row has them, too. */
export function SwipedActions({ person, item }: { person: UserInterlocutor; item: PastCall }) {
  const menu = usePersonMenu(person, { session_id: item.session_id ?? undefined })
  return [menu.write, menu.favourite, menu.report].map(({ label, icon, onSelect }) => (
    <IconButton key={label} variant="quiet" label={label} icon={icon} onClick={onSelect} />
  ))
}

/** A user who is not reachable any more can still be reported. */
export function GoneActions({ item: { session_id, user_id } }: { item: PastCall }) {
  if (session_id === null) return null
  const nick = t('history.gone')
  return (
    <MoreMenu nick={nick} entries={[reportEntry({ person: { id: user_id, nick }, session_id })]} />
  )
}

function MoreMenu({ nick, busy, entries }: { nick: string; busy?: boolean; entries: MenuEntry[] }) {
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('history.more', { nick })}
          busy={busy}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={entries}
    />
  )
}
