import { useRef, useState, useEffect, type RefObject } from 'react'
import { cx, Button, Dialog } from '@duet/ui'
import { useCallKeys, KeysDialog } from './keys-dialog.tsx'
import type { RunningCall } from '../calls-state.ts'
import { Captions } from '../captions/captions.tsx'
import { Connecting } from './connecting.tsx'
import { Dock } from './dock.tsx'
import { LowBanner } from './low-banner.tsx'
import { PrivateCard } from './private-card.tsx'
import { RisingGift } from '../../../shared/gifts/rising-gift.tsx'
import { RisingHeart } from './like-in-call.tsx'
import { QuietHint } from './quiet-hint.tsx'
import { SelfView } from './self-view.tsx'
import { SoundOnlyCard } from './sound-only-card.tsx'
import { TextOverlay } from '../chat/text-overlay.tsx'
import { TopBar } from './top-bar.tsx'
import { TroublePill } from './trouble-pill.tsx'
import { usePhone } from './use-phone.ts'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { t } from '../../../shared/i18n.ts'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { SoftPortrait } from './soft-portrait.tsx'
import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { useEngineSnapshot } from '../call-context.tsx'
import { useTrouble } from './connection-trouble.ts'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { Composer } from '../chat/composer.tsx'
import { QuickPhrases } from '../chat/quick-phrases.tsx'
import { TextLog } from '../chat/text-log.tsx'
import { CallTranslationSwitch } from '../chat/call-translation.tsx'

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
  const writeText = () => {
    openText()
    focusComposer()
  }
  useCallKeys({
    call,
    isConnected,
    onPanel: isPhone ? openText : onPanel,
    onText: writeText,
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
      {isPhone ? null : <QuietHint call={call} onText={writeText} />}
      <RisingHeart call={call} />
      <RisingGift session_id={call.session.id} />
      <div
        className={cx(
          'pointer-events-none absolute inset-x-0 bottom-0 z-overlay flex flex-col [&>*]:pointer-events-auto',
          isPhone
            ? 'gap-3 px-3 pb-[max(16px,env(safe-area-inset-bottom))]'
            : 'items-center gap-4 pb-5',
        )}
      >
        {isPhone ? <QuietHint call={call} onText={writeText} /> : null}
        <SoundOnlyCard call={call} />
        <PrivateCard call={call} />
        <Captions call={call} />
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

/** Focuses the text field once it is on screen. */
function focusComposer(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
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

/**
 * With safe video, a blurred portrait covers the partner's picture until the viewer presses. A filter on the live
 * picture would be computed again for every frame.
 */
function SafeCover({ call }: { call: RunningCall }) {
  const { safe_video } = useOwnUser()
  const { id, user_interlocutor: person } = call.session
  const [uncoveredId, uncover] = useState<number>()
  if (!safe_video || uncoveredId === id) return null
  return (
    <div
      data-safe-cover
      className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-hidden bg-bg"
    >
      <span aria-hidden className="scene-glow absolute inset-0" />
      {person.avatar ? <SoftPortrait src={person.avatar} /> : null}
      <p className="title relative">{t('video.safe.text', { nick: person.nick })}</p>
      <Button
        variant="secondary"
        size={54}
        className="relative"
        icon={<EyeIcon size={20} />}
        onClick={() => uncover(id)}
      >
        {t('video.safe.show')}
      </Button>
    </div>
  )
}

/** The partner is there, but the camera is off or no picture arrives. A portrait replaces the frozen picture. */
function PartnerOff({ call }: { call: RunningCall }) {
  const { picture, phase } = useEngineSnapshot()
  const trouble = useTrouble(call)
  const isOff = !call.partner_media.video
  if ((picture !== 'still' && !isOff) || phase !== 'connected' || trouble) return null
  const { nick, avatar } = call.session.user_interlocutor
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-hidden bg-bg">
      <span aria-hidden className="scene-glow absolute inset-0" />
      {avatar ? <SoftPortrait src={avatar} /> : null}
      <VideoCameraSlashIcon size={44} weight="fill" className="relative text-text" />
      <p role="status" className="title relative">
        {t(isOff ? 'video.call.partner_camera_off' : 'video.call.no_picture', { nick })}
      </p>
    </div>
  )
}

const QUIET_AFTER_MS = 4_000
const INPUT = [
  'pointermove',
  'pointerdown',
  'keydown',
  'focusin',
  'focusout',
  'touchstart',
] as const

/**
 * True after a while without a movement, press or focus. Controls may then fade, unless a control has the keyboard's
 * focus.
 */
function useQuiet(runs: boolean, controls: RefObject<HTMLElement | null>): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    if (!runs) return setQuiet(false)
    let timer: ReturnType<typeof setTimeout>
    const stir = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(!hasVisibleFocus(controls.current)), QUIET_AFTER_MS)
    }
    stir()
    for (const event of INPUT) document.addEventListener(event, stir, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of INPUT) document.removeEventListener(event, stir)
    }
  }, [runs, controls])
  return quiet
}

/** On a new screen the heading has the focus. The heading is not a control. */
function hasVisibleFocus(controls: HTMLElement | null): boolean {
  return controls?.querySelector(':focus-visible:not(h1)') != null
}

/** Everything that was said, on a phone: a sheet over the picture. */
function ChatSheet({
  call,
  open,
  onClose,
}: {
  call: RunningCall
  open: boolean
  onClose: () => void
}) {
  useBackEntry(open, onClose)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('word.chat')}
      closeLabel={t('video.chat.close')}
      actions={
        <div className="flex w-full min-w-0 flex-col gap-2">
          <QuickPhrases />
          <Composer
            placeholder={t('video.chat.placeholder', { nick: call.session.user_interlocutor.nick })}
          />
        </div>
      }
    >
      <div className="-mx-5 flex h-[44dvh] flex-col">
        <div className="flex justify-end px-3">
          <CallTranslationSwitch />
        </div>
        {open ? <TextLog call={call} /> : null}
      </div>
    </Dialog>
  )
}
