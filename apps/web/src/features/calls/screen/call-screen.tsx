import { useRef, useState } from 'react'
import { cx } from '@duet/ui'
import { useCallKeys } from './call-keys.ts'
import type { RunningCall } from '../calls-state.ts'
import { ChatSheet } from '../chat/chat-sheet.tsx'
import { Connecting } from './connecting.tsx'
import { Dock } from './dock.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { LowBanner } from './low-banner.tsx'
import { PartnerOff } from './partner-off.tsx'
import { PrivateCard } from './private-card.tsx'
import { SafeCover } from '../safe-cover.tsx'
import { SelfView } from './self-view.tsx'
import { TextOverlay } from '../chat/text-overlay.tsx'
import { TopBar } from './top-bar.tsx'
import { TroublePill } from './trouble-pill.tsx'
import { usePhone } from './use-phone.ts'
import { useQuiet } from './use-quiet.ts'

interface CallScreenProps {
  call: RunningCall
  isConnected: boolean
  isPanelOpen: boolean
  onPanel: () => void
}

/** Everything on the picture. After a while most controls fade. The meter, the own picture and End stay. */
export function CallScreen({ call, isConnected, isPanelOpen, onPanel }: CallScreenProps) {
  const isPhone = usePhone()
  const [isTextOpen, setTextOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const controls = useRef<HTMLDivElement>(null)
  const isQuiet = useQuiet(isConnected && !isTextOpen && call.ask === null, controls)
  const openText = () => (isPhone ? setTextOpen(true) : isPanelOpen || onPanel())
  useCallKeys({
    call,
    isConnected,
    onPanel: isPhone ? openText : onPanel,
    onText: openText,
    onHelp: () => setHelpOpen(true),
  })
  if (!isConnected) return <Connecting call={call} />
  return (
    <div
      ref={controls}
      className={cx('absolute inset-0', isPhone && 'flex flex-col')}
      data-quiet={isQuiet || undefined}
    >
      <SafeCover call={call} />
      <Shade />
      <PartnerOff call={call} />
      <TopBar
        call={call}
        isPanelOpen={isPanelOpen}
        onPanel={onPanel}
        onHelp={() => setHelpOpen(true)}
      />
      <TroublePill call={call} />
      <LowBanner call={call} />
      <SelfView />
      <div
        className={cx(
          'pointer-events-none absolute inset-x-0 bottom-0 z-overlay flex flex-col [&>*]:pointer-events-auto',
          isPhone
            ? 'gap-3 px-3 pb-[max(16px,env(safe-area-inset-bottom))]'
            : 'items-center gap-4 pb-5',
        )}
      >
        <PrivateCard call={call} />
        {isPhone ? <TextOverlay call={call} onOpen={openText} /> : null}
        <Dock call={call} />
      </div>
      {isPhone ? (
        <ChatSheet call={call} open={isTextOpen} onClose={() => setTextOpen(false)} />
      ) : null}
      <KeysDialog open={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}

/** Keeps white letters readable on a white wall, at the edges only. */
function Shade() {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-0 bg-[linear-gradient(rgb(15_11_10/.42),transparent_22%,transparent_66%,rgb(15_11_10/.55))]"
    />
  )
}
