import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { PetalPair } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import alex from '../../../assets/alex.avif'
import sofia from '../../../assets/sofia.avif'

/** The bars of a voice, which do not move: a picture of a call. */
const voice = [4, 9, 14, 7, 18, 11, 6, 13, 19, 9, 14, 5, 10, 6]

/** Two people in a conversation. Decorative: screen readers announce the headline instead. */
export function HeroPetals({ className }: { className?: string }) {
  return (
    <div aria-hidden className={className}>
      <div className="@container relative max-md:hidden">
        <PetalPair layout="hero" hers={her('md')} yours={yours} />
        <span className="glass absolute end-[20%] top-[4.6%] flex h-11 items-center gap-3 rounded-full px-4">
          <LiveDot />
          <span className="ui figures text-[calc(15rem/16)]!">04:12</span>
          <Voice />
        </span>
        <span className="glass absolute -start-[13%] top-[65%] @max-[560px]:hidden w-[252px] rounded-bubble rounded-es-[7px] px-4 py-3">
          <span className="meta flex items-center gap-1.5 text-text/80">
            <TranslateIcon size={14} />
            {t('landing.petal.translated')}
          </span>
          <span className="ui mt-1 block text-[calc(15rem/16)]! leading-[1.45]!">
            {t('landing.petal.message')}
          </span>
        </span>
      </div>
      <div className="relative md:hidden">
        <PetalPair layout="portrait" hers={her('sm')} yours={yours} />
        <span className="glass absolute start-[60%] top-[20%] flex h-[38px] items-center gap-2.5 rounded-full px-3.5">
          <LiveDot />
          <span className="ui figures">04:12</span>
        </span>
      </div>
    </div>
  )
}

function her(size: 'sm' | 'md') {
  return {
    src: sofia,
    alt: '',
    priority: 'high' as const,
    shade: true,
    children: (
      <span className="ui absolute start-[13%] bottom-[7%] z-1 text-[calc(15rem/16)]! text-[#f7f1eb]">
        <Text
          id="landing.petal.her"
          parts={{
            name: (words) => <b className="font-[600]">{words}</b>,
            place: (words) =>
              size === 'md' ? <span className="ms-1.5 opacity-75">{words}</span> : null,
          }}
        />
      </span>
    ),
  }
}

const yours = {
  src: alex,
  alt: '',
  children: (
    <span className="ui absolute end-[14%] bottom-[10%] z-1 font-[600]! text-[#f7f1eb]">
      <You />
    </span>
  ),
}

function You() {
  return t('landing.petal.you')
}

function LiveDot() {
  return <span className="size-2 rounded-full bg-ember" />
}

function Voice() {
  return (
    <svg viewBox="0 0 70 20" width={70} height={20} className="text-text/80">
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
