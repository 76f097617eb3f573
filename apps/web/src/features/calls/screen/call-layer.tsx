import { useState } from 'react'
import { cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { useEngineSnapshot } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { ChatPanel } from '../chat/chat-panel.tsx'
import { RemoteVideo } from './remote-video.tsx'
import { CallScreen } from './call-screen.tsx'
import { useTrouble } from './connection-trouble.ts'
import { usePhone } from './use-phone.ts'

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
