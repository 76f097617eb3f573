import { useQuery } from '@tanstack/react-query'
import type { SearchAdvice } from '@duet/protocol'
import { LampIcon } from '@phosphor-icons/react/dist/csr/Lamp'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Button, cx, KeyCap, PetalPair, Sheen } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { useSellsPremium } from '../../shared/queries.ts'
import { useAmountFormat, type AmountFormat } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'
import { useWomenOnline } from '../../shared/people/online-count.ts'
import { DeviceButton } from '../../shared/video/screen-parts.tsx'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { formatDuration } from '../../shared/texts/durations.ts'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useOwnUser, type OwnUser } from '../../shared/account/own-user.tsx'
import { useNow, usePassed } from '../../shared/controls/use-time.ts'
import { MetPerson } from '../../shared/video/met-person.tsx'
import { ScreenFrame } from '../../shared/video/screen-frame.tsx'
import type { SearchingView } from './matchmaking-state.ts'

const TIP_AFTER_MS = 4_000
const TIP_FOR_MS = 9_000
const LONG_AFTER_MS = 20_000
const TIPS = ['lamp', 'eyes', 'name', 'keys'] as const

interface SearchingScreenProps {
  readonly screen: SearchingView
  readonly onStop: () => void
  /** Called after the user of the ended call is blocked. */
  readonly onBlocked: () => void
}

export function SearchingScreen({ screen, onStop, onBlocked }: SearchingScreenProps) {
  useKeys({ Escape: onStop })
  return (
    <ScreenFrame end={<DeviceButton />}>
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
            <SearchSentence screen={screen} />
            <Advice since_ms={screen.since_ms} />
            {screen.left ? (
              <div className="mt-3 flex flex-col items-center gap-2">
                <MetPerson
                  left={screen.left}
                  isNamed={screen.left.how !== null}
                  onBlocked={onBlocked}
                />
              </div>
            ) : null}
          </div>
          <Button
            size={54}
            variant="outline"
            onClick={onStop}
            end={
              <span className="max-md:hidden">
                <KeyCap>{t('matching.searching.stop_key')}</KeyCap>
              </span>
            }
          >
            {t('matching.searching.stop')}
          </Button>
        </div>
        <Tip since_ms={screen.since_ms} />
      </main>
    </ScreenFrame>
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

/** A sentence under the title: the last event, or the expected time. */
function SearchSentence({ screen }: { screen: SearchingView }) {
  const { role } = useOwnUser()
  const womenOnline = useWomenOnline()
  const formatAmount = useAmountFormat()
  const isLong = usePassed(screen.since_ms, LONG_AFTER_MS)
  return (
    <p role="status" className="body mt-2 text-[1.0625rem]! text-text-2">
      {afterCallSentence(screen.left, role, formatAmount) ??
        waitingSentence(screen, role, isLong, womenOnline ?? 0)}
    </p>
  )
}

function afterCallSentence(
  left: SearchingView['left'],
  role: OwnUser['role'],
  formatAmount: AmountFormat,
): string | null {
  if (!left) return null
  const { receipt, person, how } = left
  if (receipt.reason === 'not_connected') return t('matching.searching.not_connected')
  if (how !== null) return null
  const coins = receipt.earned ?? '0'
  return role === 'girl' && Number(coins) > 0
    ? t('matching.searching.earned', {
        nick: person.nick,
        duration: formatDuration(receipt.seconds),
        coins: formatAmount('coin', coins),
        count: Number(coins),
      })
    : t('matching.searching.left', { nick: person.nick })
}

function waitingSentence(
  { offer_closed }: SearchingView,
  role: OwnUser['role'],
  isLong: boolean,
  womenOnline: number,
): string {
  if (offer_closed) return t('matching.searching.closed')
  if (isLong) return t('matching.searching.long')
  return role === 'girl'
    ? t('matching.searching.guests')
    : t('matching.searching.women', { count: womenOnline })
}

const ADVICE_EVERY_MS = 15_000
const NO_ADVICE: readonly SearchAdvice[] = []

/** The limits of the viewer that keep users away who wait now. Premium is named only where it is sold. */
function useAdvice(sinceMs: number): readonly SearchAdvice[] {
  const { connection } = useAppServices()
  const { role } = useOwnUser()
  const sellsPremium = useSellsPremium()
  const isDue = usePassed(sinceMs, TIP_AFTER_MS * 2)
  const { data } = useQuery({
    queryKey: ['search', 'advice', sinceMs],
    queryFn: () => connection.http.get('search/advice', {}),
    enabled: isDue && role !== null,
    refetchInterval: ADVICE_EVERY_MS,
    retry: false,
  })
  return (data?.advice ?? NO_ADVICE).filter(({ kind }) => kind !== 'premium' || sellsPremium)
}

function Advice({ since_ms }: { since_ms: number }) {
  const advice = useAdvice(since_ms)
  if (advice.length === 0) return null
  return (
    <ul role="status" className="note mt-3 flex max-w-[46ch] flex-col gap-1 text-text-2">
      {advice.map(({ kind, count }) => (
        <li key={kind}>{t(`matching.advice.${kind}`, { count })}</li>
      ))}
    </ul>
  )
}

/** Takes its space from the start, so that nothing moves when it appears. */
function Tip({ since_ms }: { since_ms: number }) {
  const nowMs = useNow(1000)
  const shown = nowMs - since_ms >= TIP_AFTER_MS
  const tip = TIPS[Math.floor((nowMs - since_ms) / TIP_FOR_MS) % TIPS.length] ?? 'lamp'
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
