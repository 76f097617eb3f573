import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Dialog } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Button, Chip, ChipRow, Skeleton, useSkeleton, IconButton, EmptyState } from '@duet/ui'
import { useAppServices, useOwnUser } from '../../../shared/app-services.tsx'
import { StartChatLink } from '../../../shared/controls/start-chat-link.tsx'
import { t, type TextId } from '../../../shared/i18n.ts'
import { useSettled } from '../../../shared/controls/use-time.ts'
import { useStatuses } from '../../../shared/people/use-statuses.ts'
import { listDialogs, type DialogFilter } from '../state/dialogs.ts'
import { useMessenger, useMessengerState } from '../use-messenger.ts'
import { DialogRow } from './dialog-row.tsx'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { dialogs } from '../../../shared/dialogs.ts'
import { useWriteTo } from '../../../shared/people/use-write.ts'
import { ChoosePerson } from './choose-person.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { storePeople } from '../../../shared/people/people.ts'

const FILTERS = [
  { filter: 'all', label: 'messenger.list.all' },
  { filter: 'unread', label: 'messenger.list.unread_filter' },
  { filter: 'favourites', label: 'word.favourites' },
] as const satisfies readonly { filter: DialogFilter; label: TextId }[]
const ROW_PX = 72
/** A pause in typing: only then the server searches. */
const TYPING_MS = 200
/** The next page is fetched when the end of the list is this near. */
const NEAR_END_PX = 600

/** All dialogs of the user: search, filters, rows. */
export function DialogList() {
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<DialogFilter>('all')
  const searched = useSettled(query.trim(), TYPING_MS)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-col gap-3 px-4 pt-5 pb-2">
        <div className="flex items-center justify-between">
          <h1 tabIndex={-1} className="display-m px-1">
            {t('word.messages')}
          </h1>
          <NewDialogButton />
        </div>
        <label className="flex h-12 items-center gap-3 rounded-full bg-surface-2 px-4 text-text-3 shadow-[inset_0_0_0_1px_var(--hair-2)] focus-within:shadow-[inset_0_0_0_2px_var(--ember-hi)]">
          <MagnifyingGlassIcon size={20} aria-hidden />
          <input
            type="search"
            value={query}
            maxLength={limits.query_characters}
            onChange={(event) => setQuery(event.target.value)}
            placeholder={t('messenger.list.search')}
            aria-label={t('messenger.list.search')}
            dir="auto"
            className="body min-w-0 flex-1 bg-transparent text-text outline-none"
          />
        </label>
        <ChipRow label={t('messenger.list.filter')}>
          {FILTERS.map((one) => (
            <Chip
              key={one.filter}
              selected={one.filter === filter}
              onClick={() => setFilter(one.filter)}
            >
              {t(one.label)}
            </Chip>
          ))}
        </ChipRow>
      </div>
      {searched ? <FoundDialogs query={searched} /> : <FilteredDialogs filter={filter} />}
    </div>
  )
}

function FilteredDialogs({ filter }: { filter: DialogFilter }) {
  const messenger = useMessenger()
  const { report } = useAppServices()
  const dialogs = useMessengerState((state) => state.dialogs)
  const window = useMessengerState((state) => state.windows[filter])
  const shown = useMemo(() => listDialogs(dialogs, filter, window), [dialogs, filter, window])
  useEffect(() => {
    messenger.loadDialogs(filter, 'first').catch(() => {})
  }, [messenger, filter])
  const isWaiting = window.status === 'absent' || window.status === 'loading'
  if (shown.length === 0 && isWaiting) return <LoadingRows />
  if (shown.length === 0 && window.status === 'failed')
    return (
      <ListNote role="alert" text={t('messenger.list.failed')}>
        <Button onClick={() => void messenger.loadDialogs(filter, 'first').catch(report)}>
          {t('action.retry')}
        </Button>
      </ListNote>
    )
  if (shown.length === 0)
    return filter === 'all' ? <NoDialogs /> : <ListNote text={t(`messenger.list.no_${filter}`)} />
  return (
    <Rows
      dialogs={shown}
      onNearEnd={() => {
        if (window.status === 'ready' && window.has_more)
          messenger.loadDialogs(filter, 'next').catch(() => {})
      }}
    />
  )
}

function FoundDialogs({ query }: { query: string }) {
  const { dialogs, isLoading, isFailed, retry } = useFoundDialogs(query)
  if (isLoading) return <LoadingRows />
  if (isFailed)
    return (
      <ListNote role="alert" text={t('messenger.list.failed')}>
        <Button onClick={retry}>{t('action.retry')}</Button>
      </ListNote>
    )
  if (dialogs.length === 0) return <ListNote text={t('messenger.list.nobody_found')} />
  return <Rows dialogs={dialogs} />
}

function Rows({ dialogs, onNearEnd }: { dialogs: readonly Dialog[]; onNearEnd?: () => void }) {
  useStatuses(useMemo(() => dialogs.map(({ interlocutor }) => interlocutor.id), [dialogs]))
  const list = useRef<VListHandle>(null)
  return (
    <nav
      aria-label={t('messenger.list.label')}
      className="min-h-0 flex-1"
      onKeyDown={focusNeighbour}
    >
      <VList
        data={dialogs}
        itemSize={ROW_PX}
        className="px-2.5 pb-4"
        onScroll={(offset) => {
          const { scrollSize, viewportSize } = list.current!
          if (scrollSize - offset - viewportSize < NEAR_END_PX) onNearEnd?.()
        }}
        ref={list}
      >
        {(dialog) => <DialogRow key={dialog.dialog_id} dialog={dialog} />}
      </VList>
    </nav>
  )
}

/** The arrow keys go from dialog to dialog. */
function focusNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = [...event.currentTarget.querySelectorAll('a')]
  links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]?.focus()
}

function ListNote({
  text,
  role = 'status',
  children,
}: {
  text: string
  role?: 'status' | 'alert'
  children?: React.ReactNode
}) {
  return (
    <div role={role} className="flex flex-col items-center gap-4 px-6 py-10 text-center">
      <p className="note text-text-2">{text}</p>
      {children}
    </div>
  )
}

function LoadingRows() {
  const isShown = useSkeleton(true)
  if (!isShown) return null
  return (
    <div aria-busy className="flex flex-col gap-2 px-5">
      {[1, 2, 3, 4, 5, 6].map((key) => (
        <span key={key} className="flex h-[64px] items-center gap-3">
          <Skeleton className="size-12 rounded-full!" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-3.5 w-4/5" />
          </span>
        </span>
      ))}
    </div>
  )
}

/** Opens the dialog with a favourite who is chosen. */
function NewDialogButton() {
  const isGuy = useOwnUser()?.role !== 'girl'
  const { busy, writeTo } = useWriteTo()
  const choose = async () => {
    const person = await dialogs.ask('choose_person', {})
    if (person) writeTo(person)
  }
  return (
    <IconButton
      variant="quiet"
      busy={busy}
      label={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
      icon={<NotePencilIcon size={24} />}
      onClick={() => void choose()}
    />
  )
}

/** The list before the first dialog: the search is where users meet, and favourites are there to be chosen. */
function NoDialogs() {
  const isGuy = useOwnUser()?.role !== 'girl'
  const { busy, writeTo } = useWriteTo()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        title={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
        text={t('messenger.empty_text')}
        action={<StartChatLink />}
      />
      <section aria-labelledby="choose-person" className="flex flex-col gap-1 px-2.5 pb-4">
        <h2 id="choose-person" className="note px-3 pt-4 pb-1 text-text-3">
          {t('messenger.choose_favourites')}
        </h2>
        <ChoosePerson busy={busy} onChoose={writeTo} />
      </section>
    </div>
  )
}

/** The own dialogs with people whose nick begins like the query, each as the page knows it now. */
function useFoundDialogs(query: string) {
  const { connection } = useAppServices()
  const known = useMessengerState(({ dialogs }) => dialogs)
  const ownId = useMessengerState(({ own_id }) => own_id)
  const found = useQuery({
    queryKey: ['messenger', 'found', ownId, query],
    queryFn: async () => {
      const { dialogs } = await connection.act('GET_DIALOGS', { query, limit: limits.dialogs })
      storePeople(dialogs.map(({ interlocutor }) => interlocutor))
      return dialogs
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  })
  const dialogs: readonly Dialog[] = useMemo(
    () => (found.data ?? []).map((dialog) => known.get(dialog.dialog_id) ?? dialog),
    [found.data, known],
  )
  return {
    dialogs,
    isLoading: found.isPending,
    isFailed: found.isError,
    retry: () => void found.refetch(),
  }
}
