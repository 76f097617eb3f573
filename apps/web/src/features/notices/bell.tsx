import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { useState } from 'react'
import { Dialog, IconButton, Popover, useMobile } from '@duet/ui'
import { useBackEntry } from '../../shared/navigation/back-entries.ts'
import { t } from '../../shared/i18n.ts'
import { BellList } from './bell-list.tsx'
import { useBell } from './use-bell.ts'

const SHOWN_MAX = 99

/** The bell of the header: a panel on a desktop, a sheet on a phone. When the bell closes, all notices become read. */
export function Bell() {
  const [isOpen, setOpen] = useState(false)
  const isMobile = useMobile()
  const bell = useBell()
  const show = (open: boolean) => {
    // Unread lines stay marked while they are looked at.
    if (!open) bell.markAllRead()
    setOpen(open)
  }
  // On a desktop the panel lies beside the page. On a phone the sheet covers the page.
  const release = useBackEntry(isOpen && isMobile, () => show(false))
  const leave = async () => {
    await release()
    show(false)
  }
  const list = <BellList bell={bell} onLeave={leave} />
  if (isMobile)
    return (
      <>
        <BellButton unread={bell.unread} onClick={() => show(true)} />
        <Dialog
          open={isOpen}
          onClose={() => show(false)}
          title={t('notices.title')}
          closeLabel={t('action.close')}
        >
          {list}
        </Dialog>
      </>
    )
  return (
    <Popover
      trigger={<BellButton unread={bell.unread} />}
      title={t('notices.title')}
      open={isOpen}
      onOpenChange={show}
      align="end"
      className="w-[400px]"
    >
      <div className="-mx-2 max-h-[min(560px,70dvh)] overflow-y-auto overscroll-contain">
        {list}
      </div>
    </Popover>
  )
}

type ButtonProps = { unread: number } & Partial<Parameters<typeof IconButton>[0]>

function BellButton({ unread, ...rest }: ButtonProps) {
  return (
    <span className="relative inline-flex">
      <IconButton
        {...rest}
        label={unread > 0 ? t('notices.bell_unread', { unread }) : t('notices.title')}
        icon={<BellIcon size={20} weight={unread > 0 ? 'fill' : 'regular'} />}
      />
      {unread > 0 ? (
        <span
          aria-hidden
          className="meta pointer-events-none absolute -end-1 -top-1 inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-ember px-1 text-on-ember tabular-nums"
        >
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      ) : null}
    </span>
  )
}
