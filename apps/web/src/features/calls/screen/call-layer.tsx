import { useState, useEffect, useLayoutEffect, useRef } from 'react'
import { cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { useEngineSnapshot, useCallEngine } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { ChatPanel } from '../chat/chat-panel.tsx'
import { CallScreen } from './call-screen.tsx'
import { useTrouble } from './connection-trouble.ts'
import { usePhone } from './use-phone.ts'
import { watchDroppedFrames } from '../../../shared/video/dropped-frames.ts'

/**
 * The call over the whole window. The layer stays mounted without a call, so that one video element shows every
 * partner.
 */
export function CallLayer({ call }: { call: RunningCall | null }) {
  const { persistence } = useAppServices()
  const isPhone = usePhone()
  const [isPanelOpen, setPanelOpen] = useState(() => persistence.get('chat_panel_open') ?? true)
  const togglePanel = () => {
    persistence.set('chat_panel_open', !isPanelOpen)
    setPanelOpen(!isPanelOpen)
  }
  const nick = call?.session.user_interlocutor.nick ?? ''
  return (
    <div
      data-theme="dark"
      className={cx(
        'fixed inset-0 z-sticky flex bg-bg',
        !isPhone && 'gap-3 p-3',
        !call && 'hidden',
      )}
      inert={!call}
    >
      <main
        aria-label={call ? t('video.call.label', { nick }) : undefined}
        className={cx(
          'on-video relative min-w-0 flex-1 overflow-hidden bg-surface-1',
          !isPhone && 'rounded-stage shadow-card',
        )}
      >
        <Picture nick={nick} call={call} />
        {call ? (
          <CallScreen
            key={call.session.id}
            call={call}
            isConnected={call.is_met}
            isPanelOpen={isPanelOpen}
            onPanel={togglePanel}
          />
        ) : null}
      </main>
      {call && !isPhone && isPanelOpen ? <ChatPanel key={call.session.id} call={call} /> : null}
    </div>
  )
}

function Picture({ nick, call }: { nick: string; call: RunningCall | null }) {
  const { phase } = useEngineSnapshot()
  const trouble = useTrouble(call)
  return (
    <RemoteVideo
      label={t('video.call.remote', { nick })}
      isPlaying={phase === 'connected'}
      isFaded={trouble !== null || phase === 'reconnecting'}
    />
  )
}

interface RemoteVideoProps {
  label: string
  isPlaying: boolean
  isFaded: boolean
}

/** One video element shows every partner. The element stays mounted from call to call. */
function RemoteVideo({ label, isPlaying, isFaded }: RemoteVideoProps) {
  const engine = useCallEngine()
  const element = useRef<HTMLVideoElement>(null)
  // A layout effect takes the stream back before the element leaves the document.
  useLayoutEffect(
    () => (element.current ? engine.attachRemote(element.current) : undefined),
    [engine],
  )
  useEffect(
    () =>
      isPlaying && element.current ? watchDroppedFrames(element.current, paintLess) : undefined,
    [isPlaying],
  )
  return (
    <>
      <video
        ref={element}
        autoPlay
        playsInline
        aria-label={label}
        data-remote-picture
        className="absolute inset-0 size-full object-cover"
      />
      {/* A grey layer: a filter on a live picture would be computed again for every frame. */}
      {isFaded ? <span aria-hidden className="absolute inset-0 bg-[rgb(38_34_33/.7)]" /> : null}
    </>
  )
}

/** Glass is painted solid from now on, as on devices with little memory. */
function paintLess(): void {
  document.documentElement.dataset.lean = ''
}
