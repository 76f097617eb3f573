import { LampIcon } from '@phosphor-icons/react/dist/csr/Lamp'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Button, cx, KeyCap, PetalPair, Sheen } from '@duet/ui'
import { formatAmount } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'
import { useSystem } from '../../shared/queries.ts'
import { DeviceButton } from '../../shared/video/screen-parts.tsx'
import { useKeys } from '../../shared/video/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { durationOf } from '../../shared/video/person-text.ts'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/video/own-user.tsx'
import { useNow, usePassed } from '../../shared/video/use-time.ts'
import { SceneFrame } from '../../shared/video/scene-frame.tsx'
import type { SearchingView } from './matchmaking-state.ts'

const TIP_AFTER_MS = 4_000
const TIP_FOR_MS = 9_000
const LONG_AFTER_MS = 20_000
const TIPS = ['lamp', 'eyes', 'name', 'keys'] as const

export function SearchingScene({ scene, onStop }: { scene: SearchingView; onStop: () => void }) {
  useKeys({ Escape: onStop })
  return (
    <SceneFrame end={<DeviceButton />}>
      <main className="flex flex-1 flex-col items-center px-5 pb-[max(24px,env(safe-area-inset-bottom))] text-center md:pb-10">
        <div className="flex w-full flex-1 flex-col items-center justify-center gap-[min(40px,5dvh)]">
          <PetalPair
            layout="search"
            hers={{
              light: 'ember',
              icon: <UserIcon className="size-[30%] opacity-55" />,
              children: <Sheen />,
            }}
            yours={{ children: <OwnPetal /> }}
            className="max-w-[330px] md:max-w-[min(600px,64dvh)] [@media(height<500px)]:max-w-[44dvh]!"
          />
          <div>
            <h1 tabIndex={-1} className="display-l outline-none">
              {t('matching.searching.title')}
            </h1>
            <Line scene={scene} />
          </div>
          <Button
            size={54}
            variant="outline"
            onClick={onStop}
            end={
              <span className="max-md:hidden">
                <KeyCap>Esc</KeyCap>
              </span>
            }
          >
            {t('matching.searching.stop')}
          </Button>
        </div>
        <Tip since_ms={scene.since_ms} />
      </main>
    </SceneFrame>
  )
}

function OwnPetal() {
  const { microphone } = useLocalMedia()
  const Icon = microphone === 'on' ? MicrophoneIcon : MicrophoneSlashIcon
  return (
    <>
      <OwnPicture />
      <span className="glass absolute end-[10%] bottom-[10%] z-1 flex size-9 items-center justify-center rounded-full text-text">
        <Icon size={18} weight="fill" />
      </span>
    </>
  )
}

/** One sentence under the title: what just happened, or how long it takes. */
function Line({ scene: { since_ms, left, offer_closed } }: { scene: SearchingView }) {
  const { role } = useOwnUser()
  const system = useSystem()
  const isLong = usePassed(since_ms, LONG_AFTER_MS)
  const words = () => {
    if (left?.receipt.reason === 'not_connected') return t('matching.searching.not_connected')
    if (left && left.how === null && role === 'girl' && Number(left.receipt.earned ?? 0) > 0)
      return t('matching.searching.earned', {
        nick: left.person.nick,
        duration: durationOf(left.receipt.seconds),
        coins: formatAmount('coin', left.receipt.earned ?? '0'),
      })
    if (left && left.how === null) return t('matching.searching.left', { nick: left.person.nick })
    if (offer_closed) return t('matching.searching.closed')
    if (isLong) return t('matching.searching.long')
    return role === 'girl'
      ? t('matching.searching.guests')
      : t('matching.searching.women', { count: system?.women_online ?? 0 })
  }
  return (
    <p role="status" className="body mt-2 text-[1.0625rem]! text-text-2">
      {words()}
    </p>
  )
}

/** Its room is kept, so that nothing moves when it comes. */
function Tip({ since_ms }: { since_ms: number }) {
  const now_ms = useNow(1000)
  const shown = now_ms - since_ms >= TIP_AFTER_MS
  const tip = TIPS[Math.floor((now_ms - since_ms) / TIP_FOR_MS) % TIPS.length] ?? 'lamp'
  return (
    <p
      className={cx(
        'ui flex min-h-12 items-center gap-2.5 text-text-2 transition-opacity duration-scene [@media(height<500px)]:hidden',
        shown ? 'opacity-100' : 'opacity-0',
      )}
      aria-hidden={!shown}
    >
      <LampIcon size={22} weight="duotone" className="shrink-0 text-ember-hi" />
      {t(`matching.tip.${tip}`)}
    </p>
  )
}
