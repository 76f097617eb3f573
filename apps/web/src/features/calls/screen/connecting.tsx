import { useEffect, useState } from 'react'
import type { EngineSnapshot } from '@duet/call-engine'
import { Avatar, Button, Ring } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCallCommands, useEngineSnapshot } from '../call-context.tsx'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import type { RunningCall } from '../calls-state.ts'
import { SoftPortrait } from './soft-portrait.tsx'

/** The engine gives up after this time. The ring is then full. */
const GIVE_UP_AFTER_MS = 15_000

/** The partner's portrait out of focus until the picture is there. */
export function Connecting({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const { trouble } = useEngineSnapshot()
  const { user_interlocutor: person, free_seconds, connected_at } = call.session
  const again = connected_at !== undefined
  return (
    <div className="absolute inset-0 z-overlay flex flex-col items-center justify-center gap-5 overflow-hidden bg-bg px-6 text-center">
      <span aria-hidden className="scene-glow absolute inset-0" />
      {person.avatar ? <SoftPortrait src={person.avatar} /> : null}
      <WaitRing since_ms={call.is_fresh ? call.opened_at_ms : null}>
        <Avatar name={person.nick} decorative src={person.avatar} size={64} className="scale-150" />
      </WaitRing>
      <div className="relative" role="status">
        <h1 tabIndex={-1} className="display-m outline-none">
          {t(again ? 'video.connecting.again' : 'video.connecting.title', { nick: person.nick })}
        </h1>
        <p className="body mt-1.5 text-text">
          {troubleText(trouble, again) ?? calmText(again, role === 'girl', free_seconds)}
        </p>
      </div>
      <Button
        variant="glass"
        size={54}
        className="absolute! bottom-[max(36px,env(safe-area-inset-bottom))] min-w-40"
        onClick={() => void commands.leave(role === 'girl' ? 'break' : 'end')}
      >
        {t('action.cancel')}
      </Button>
    </div>
  )
}

/**
 * One transition draws the whole wait. A new value four times a second would paint the scene four times a second. A
 * page that returns joins again, so its wait begins again.
 */
function WaitRing({ since_ms, children }: { since_ms: number | null; children: React.ReactNode }) {
  const [waitedMs] = useState(() => Math.max(0, Date.now() - (since_ms ?? Date.now())))
  const [isRunning, setRunning] = useState(false)
  useEffect(() => setRunning(true), [])
  return (
    <Ring
      value={isRunning ? 1 : Math.min(1, waitedMs / GIVE_UP_AFTER_MS)}
      size={124}
      line={6}
      glide_ms={Math.max(0, GIVE_UP_AFTER_MS - waitedMs)}
      className="relative"
    >
      {children}
    </Ring>
  )
}

function troubleText(trouble: EngineSnapshot['trouble'], again: boolean): string | null {
  if (trouble === 'refused') return t('video.connecting.refused')
  if (trouble === 'not_connected')
    return t(again ? 'video.connecting.again_failed' : 'video.connecting.failed')
  if (trouble === 'slow') return t(again ? 'video.connecting.again_slow' : 'video.connecting.slow')
  return null
}

function calmText(again: boolean, isGirl: boolean, freeSeconds: number): string {
  if (isGirl) return t('video.connecting.girl')
  return again
    ? t('video.connecting.again_text')
    : t('video.connecting.free', { seconds: freeSeconds })
}
