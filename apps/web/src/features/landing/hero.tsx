import { ArrowDownIcon } from '@phosphor-icons/react/dist/csr/ArrowDown'
import { CameraSlashIcon } from '@phosphor-icons/react/dist/csr/CameraSlash'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { buttonLook, cx, Spinner } from '@duet/ui'
import type { ReactNode } from 'react'
import type { Features } from '@duet/protocol'
import { t } from '../../shared/i18n.ts'
import { WOMEN_ONLINE_START } from '../../shared/texts/women-online-start.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import { HeroPetals } from './hero-petals.tsx'

export interface HeroProps {
  women_online?: number | undefined
  /** Before the count is known, the page reserves the width of this number. */
  women_online_start?: number | undefined
  paid_after?: number | undefined
  busy: boolean
  features?: Features | undefined
  onStart: () => void
  /** Under the copy: the demo users, in the demo installation. */
  demo?: ReactNode
}

/** The headline, the picture of a call, and the start button. */
export function Hero({
  women_online,
  women_online_start,
  paid_after,
  features,
  busy,
  onStart,
  demo,
}: HeroProps) {
  return (
    <section className="mx-auto grid w-full max-w-[1440px] flex-1 grid-cols-[minmax(0,1fr)] content-start gap-x-6 px-5 max-md:pt-2 md:content-center md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_minmax(0,640px)] md:items-center md:px-14 md:pb-8 lg:gap-x-10">
      <HeroPetals
        translates={features?.translation.on ?? false}
        className="w-full max-md:mx-auto max-md:max-w-[420px] md:order-2 md:max-w-[calc((100dvh-200px)*1.05)] md:justify-self-end"
      />
      <div className="relative flex flex-col max-md:pb-36 md:order-1 md:max-w-[620px] md:pb-2">
        <WomenOnline
          count={women_online}
          reserved={women_online_start}
          className="max-md:order-3 max-md:mt-3"
        />
        <h1
          tabIndex={-1}
          className="display-xl mt-7 max-md:mt-6 md:max-xl:text-[clamp(40px,5.4vw,68px)] md:max-xl:leading-[1]"
        >
          <Text
            id="landing.title"
            parts={{ em: (words) => <em className="emphasis">{words}</em> }}
          />
        </h1>
        <p className="mt-5 max-w-[470px] text-[calc(19rem/16)] leading-[1.53] text-text-2 max-md:hidden">
          {t('landing.lead')}
        </p>
        <p className="mt-3 text-[calc(16rem/16)] leading-[1.4] text-text-2 max-w-[270px] md:hidden">
          {t('landing.lead_short')}
        </p>
        <div className="mt-9 flex flex-wrap items-center gap-x-5 gap-y-3 max-md:hidden">
          <StartButton busy={busy} onStart={onStart} />
          <a
            href="#how"
            className="hit ui inline-flex min-h-11 items-center gap-2 rounded-full px-2 text-[calc(16rem/16)]!"
          >
            {t('landing.how_link')}
            <ArrowDownIcon size={18} />
          </a>
        </div>
        <p className="note mt-5 flex items-center gap-2 text-text-3 max-md:hidden">
          <CameraSlashIcon size={16} className="shrink-0" />
          {t('landing.camera_note')}
        </p>
        {/* Outside the layout's flow, so that the copy does not move when the demo users are loaded. */}
        <div className="max-md:order-4 max-md:mt-2 md:absolute md:inset-x-0 md:top-full">
          {demo}
        </div>
      </div>
      <MobileStart busy={busy} onStart={onStart} paid_after={paid_after} />
    </section>
  )
}

interface WomenOnlineProps {
  readonly count: number | undefined
  readonly reserved: number | undefined
  readonly className?: string
}

function WomenOnline({ count, reserved = WOMEN_ONLINE_START, className }: WomenOnlineProps) {
  return (
    // Hidden, not absent, until a woman is known to be online, so that its space is reserved.
    <p
      className={cx(
        'note inline-flex min-h-[34px] items-center gap-2.5 self-start text-text-2 md:rounded-full md:bg-surface-2 md:px-3.5 md:shadow-[inset_0_0_0_1px_var(--hair-2)]',
        !count && 'invisible',
        className,
      )}
    >
      <span className="size-2 rounded-full bg-ok shadow-[0_0_0_4px_color-mix(in_srgb,var(--ok)_22%,transparent)]" />
      <span className="figures tracking-normal!">
        {t('landing.women_online', { count: count || reserved })}
      </span>
    </p>
  )
}

type StartProps = Pick<HeroProps, 'busy' | 'onStart'>

function StartButton({ busy, onStart, wide }: StartProps & { wide?: boolean }) {
  return (
    <button
      type="button"
      data-press="start"
      aria-busy={busy || undefined}
      onClick={onStart}
      className={cx(
        buttonLook({ variant: 'primary', size: 62, ...(wide && { wide }) }),
        'start-button',
      )}
    >
      {busy ? (
        <Spinner size={24} />
      ) : (
        <VideoCameraIcon size={26} weight="fill" className="mirror" />
      )}
      {t('action.start_chat')}
    </button>
  )
}

/** Within reach of the thumb at every scroll position. */
function MobileStart({
  busy,
  onStart,
  paid_after,
}: StartProps & { paid_after: number | undefined }) {
  return (
    <div className="start-dock fixed inset-x-0 bottom-0 z-nav px-5 pt-6 pb-[max(16px,env(safe-area-inset-bottom))] md:hidden">
      <StartButton busy={busy} onStart={onStart} wide />
      <p className="meta mt-3 text-center text-text-3">
        {paid_after
          ? t('landing.free_note', { seconds: paid_after })
          : t('landing.free_note_unknown')}
      </p>
    </div>
  )
}
