import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { GavelIcon } from '@phosphor-icons/react/dist/csr/Gavel'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck'
import type { Icon } from '@phosphor-icons/react'
import { type MouseEvent, useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import type { Notice, UserInterlocutor } from '@duet/protocol'
import { noticePage } from '@duet/protocol/kernel/notice-pages.ts'
import { Avatar, cx, EmptyState, Skeleton, Button } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { t } from '../../shared/i18n.ts'
import { CallButton } from '../../shared/people/call-button.tsx'
import { LikeButton } from '../../shared/people/like-button.tsx'
import { personById, storePeople, usePerson } from '../../shared/people/people.ts'
import { MoreActions } from '../../shared/people/actions/person-actions.tsx'
import { useWriteTo } from '../../shared/people/use-write.ts'
import { WriteButton } from '../../shared/people/write-button.tsx'
import { NOTICES_KEY } from './bell-pages.ts'
import { noticeSentence } from './notice-sentence.ts'
import { timeAgo } from '../../shared/texts/time-ago.ts'
import type { useBell } from './use-bell.ts'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import { usePush } from './use-push.ts'

interface BellListProps {
  bell: ReturnType<typeof useBell>
  /** Called before a line opens its page. The page opens when the promise resolves. */
  onLeave: () => Promise<void>
}

/** The lines of the bell in all their states. */
export function BellList({ bell, onLeave }: BellListProps) {
  return (
    <PagedList
      pages={bell.pages}
      small
      failed={t('notices.failed')}
      skeleton={<LoadingRows />}
      empty={
        <EmptyState
          icon={<BellIcon size={40} weight="duotone" />}
          title={t('notices.empty')}
          text={t('notices.empty_text')}
        />
      }
    >
      {(notices) => (
        <>
          <PushPrompt />
          <ul className="flex flex-col">
            {notices.map((notice) => (
              <li key={notice.id}>
                <NoticeRow notice={notice} onLeave={onLeave} />
                <NoticeActions notice={notice} onLeave={onLeave} />
              </li>
            ))}
          </ul>
        </>
      )}
    </PagedList>
  )
}

interface NoticeRowProps extends Pick<BellListProps, 'onLeave'> {
  readonly notice: Notice
}

/** The other user showed interest. The notice has what the user can answer with. */
function NoticeActions({ notice: { kind, user }, onLeave }: NoticeRowProps) {
  if (!user) return null
  if (kind === 'missed_call') return <MissedCallActions caller={user} onLeave={onLeave} />
  if (kind !== 'kept' && kind !== 'liked') return null
  return (
    <div className="flex gap-2 ps-15 pe-2 pb-3">
      <LikeButton person={user} size={36} />
      <WriteButton person={user} size={36} onLeave={onLeave} />
    </div>
  )
}

function MissedCallActions({
  caller,
  onLeave,
}: Pick<BellListProps, 'onLeave'> & { caller: UserInterlocutor }) {
  const queries = useQueryClient()
  const person = usePerson(caller.id) ?? caller
  useEffect(() => {
    // A change of the favourite or of the status reaches only a stored user.
    if (!personById(caller.id)) storePeople([caller])
  }, [caller])
  return (
    <div className="flex items-center gap-2 ps-15 pe-2 pb-3">
      <CallButton person={person} size={36} />
      <WriteButton person={person} size={36} onLeave={onLeave} />
      <MoreActions
        person={person}
        hasBlock
        onBlocked={() => queries.invalidateQueries({ queryKey: NOTICES_KEY })}
      />
    </div>
  )
}

function NoticeRow({ notice, onLeave }: NoticeRowProps) {
  const { user, read, create_time, kind } = notice
  const navigate = useNavigate()
  const { writeTo } = useWriteTo(onLeave)
  const page = noticePage(kind, user?.ref_code ?? null)
  const open = (event: MouseEvent) => {
    // A press that opens another tab leaves this tab as it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    // A guy has no page: what a girl can do is write to him.
    if (kind === 'kept' && user?.ref_code === null) writeTo(user)
    else void onLeave().then(() => navigate(page))
  }
  return (
    <Link
      to={page}
      onClick={open}
      className="flex items-start gap-3 rounded-row px-2 py-3 hover:bg-surface-4 focus-visible:bg-surface-4"
    >
      {user ? (
        <Avatar name={user.nick} decorative src={user.avatar} size={40} />
      ) : (
        <KindIcon kind={kind} />
      )}
      <span className="min-w-0 flex-1">
        <span className={cx('ui block break-words', read ? 'text-text-2' : 'text-text')}>
          {noticeSentence(notice)}
        </span>
        <span className="note mt-0.5 block text-text-3">{timeAgo(create_time, Date.now())}</span>
      </span>
      {read ? null : (
        <span className="mt-2 size-2 shrink-0 rounded-full bg-ember">
          <span className="sr-only">{t('notices.unread')}</span>
        </span>
      )}
    </Link>
  )
}

const KIND_ICONS: Readonly<Record<string, Icon>> = {
  premium_ended: CrownSimpleIcon,
  payment: ReceiptIcon,
  operator: GiftIcon,
  photo: ImageIcon,
  verification: IdentificationCardIcon,
  statement: GavelIcon,
  security: ShieldCheckIcon,
}

function KindIcon({ kind }: { kind: string }) {
  const Shown = KIND_ICONS[kind] ?? BellIcon
  return (
    <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-surface-4 text-text-2">
      <Shown size={20} />
    </span>
  )
}

function LoadingRows() {
  return (
    <div className="flex flex-col">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-start gap-3 px-2 py-3">
          <Skeleton className="size-10 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2 pt-1">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-3 w-20" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Above the lines of the bell, until the browser's question is answered: notices can come while Duet is closed. */
function PushPrompt() {
  const { permission, busy, turnOn } = usePush()
  if (permission !== 'asked') return null
  return (
    <div className="mx-2 mb-2 flex flex-wrap items-center gap-3 rounded-row bg-surface-4 p-3">
      <BellRingingIcon size={20} className="text-ember-hi" />
      <p className="note min-w-0 flex-1 text-text-2">{t('notices.push_prompt')}</p>
      <Button variant="secondary" size={36} busy={busy} onClick={() => void turnOn()}>
        {t('action.turn_on')}
      </Button>
    </div>
  )
}
