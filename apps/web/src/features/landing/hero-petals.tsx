import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { cx, PetalPair } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import alex from '../../../assets/alex.avif'
import sofia from '../../../assets/sofia.jpg'

/**
 * The prerendered page contains the larger portrait. A separate request would be a second round trip before the largest
 * paint. The application continues to use the copy in the page.
 */
function portraitInPage(): string | null | undefined {
  return globalThis.document?.querySelector('[data-portrait] img')?.getAttribute('src')
}

const portraits = { her: portraitInPage() ?? sofia, yours: alex }

/** The bars of a voice, which do not move: a picture of a call. */
const voice = [4, 9, 14, 7, 18, 11, 6, 13, 19, 9, 14, 5, 10, 6]

/**
 * Two people in a conversation. The picture is decorative: screen readers announce the headline instead. Both layouts
 * share one pair, because the page itself contains the portrait and a second pair would double it.
 */
export function HeroPetals({ className, translates }: { className?: string; translates: boolean }) {
  return (
    <div aria-hidden data-portrait className={className}>
      {/* A container costs the first layout a pass of its own. */}
      <div className={cx('relative', translates && '@container')}>
        <PetalPair layout="hero" hers={her} yours={yours} className="hero-pair" />
        <span className="glass absolute start-[60%] top-[20%] flex h-[38px] items-center gap-2.5 rounded-full px-3.5 md:start-auto md:end-[20%] md:top-[4.6%] md:h-11 md:gap-3 md:px-4">
          <LiveDot />
          <span className="ui figures md:text-[calc(15rem/16)]!">04:12</span>
          <Voice />
        </span>
        {translates ? <TranslatedMessage /> : null}
      </div>
    </div>
  )
}

function TranslatedMessage() {
  return (
    <span className="glass absolute -start-[13%] top-[65%] @max-[560px]:hidden w-[252px] rounded-bubble rounded-es-[7px] px-4 py-3">
      <span className="meta flex items-center gap-1.5 text-text/80">
        <TranslateIcon size={14} />
        {t('landing.petal.translated')}
      </span>
      <span className="ui mt-1 block text-[calc(15rem/16)]! leading-[1.45]!">
        {t('landing.petal.message')}
      </span>
    </span>
  )
}

const her = {
  src: portraits.her,
  alt: '',
  priority: 'high' as const,
  shade: true,
  children: <HerName />,
}

function HerName() {
  return (
    <span className="ui absolute start-[13%] bottom-[7%] z-1 text-[calc(15rem/16)]! text-[#f7f1eb]">
      <Text
        id="landing.petal.her"
        parts={{
          name: (words) => <b className="font-[600]">{words}</b>,
          place: (words) => <span className="ms-1.5 opacity-75 max-md:hidden">{words}</span>,
        }}
      />
    </span>
  )
}

const yours = {
  src: portraits.yours,
  alt: '',
  children: (
    <span className="ui absolute end-[14%] bottom-[10%] z-1 font-[600]! text-[#f7f1eb]">
      <You />
    </span>
  ),
}

function You() {
  return t('word.you')
}

function LiveDot() {
  return <span className="size-2 rounded-full bg-ember" />
}

function Voice() {
  return (
    <svg viewBox="0 0 70 20" width={70} height={20} className="text-text/80 max-md:hidden">
      {voice.map((height, index) => (
        <rect
          key={index}
          x={index * 5}
          y={10 - height / 2}
          width={2}
          height={height}
          rx={1}
          fill="currentColor"
        />
      ))}
    </svg>
  )
}
