import { useRef, useState, type PointerEvent } from 'react'
import { MicrophoneSlashIcon } from '@phosphor-icons/react/dist/csr/MicrophoneSlash'
import { cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { OwnPicture } from '../../../shared/video/screen-parts.tsx'
import { useLocalMedia } from '../../../shared/video/local-media.tsx'
import { usePhone, useSideways } from './use-phone.ts'

interface Corner {
  bottom: boolean
  end: boolean
}

/** The next corner clockwise, for a user who does not drag. */
const nextCorner = ({ bottom, end }: Corner): Corner =>
  bottom === end ? { bottom, end: !end } : { bottom: !bottom, end }
/** Less than this is a press, not a drag. */
const DRAG_FROM_PX = 8

/** The own picture in a corner. A drag or a press moves the picture to another corner. */
export function SelfView() {
  const isPhone = usePhone()
  const isSideways = useSideways()
  const { microphone } = useLocalMedia()
  const [corner, setCorner] = useState<Corner>({ bottom: !isPhone, end: true })
  const [shift, setShift] = useState<{ x: number; y: number } | null>(null)
  const begun = useRef<{ x: number; y: number } | null>(null)
  const wasDragged = useRef(false)

  const down = (event: PointerEvent<HTMLButtonElement>) => {
    begun.current = { x: event.clientX, y: event.clientY }
    wasDragged.current = false
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (!begun.current) return
    const next = { x: event.clientX - begun.current.x, y: event.clientY - begun.current.y }
    if (Math.hypot(next.x, next.y) >= DRAG_FROM_PX) wasDragged.current = true
    if (wasDragged.current) setShift(next)
  }
  const up = (event: PointerEvent<HTMLButtonElement>) => {
    begun.current = null
    setShift(null)
    if (wasDragged.current) setCorner(cornerAt(event.currentTarget))
  }
  return (
    <button
      type="button"
      aria-label={t('video.call.self_move')}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onClick={() => wasDragged.current || setCorner(nextCorner(corner))}
      style={shift ? { transform: `translate(${shift.x}px, ${shift.y}px)` } : undefined}
      className={cx(
        'absolute z-overlay touch-none overflow-hidden rounded-media bg-surface-2 shadow-[0_0_0_1.5px_var(--hair-2),var(--elevation-2)]',
        isPhone ? 'h-[142px] w-[104px]' : 'h-[146px] w-[204px] max-lg:h-[110px] max-lg:w-[154px]',
        place(corner, isPhone, isSideways),
        !shift && 'transition-[inset] duration-base',
      )}
    >
      <OwnPicture />
      {microphone === 'on' ? null : (
        <span
          className={cx(
            'absolute start-2 bottom-2 z-1 flex size-7 items-center justify-center rounded-full text-text',
            ON_PICTURE,
          )}
        >
          <MicrophoneSlashIcon size={15} weight="fill" />
          <span className="sr-only">{t('video.call.muted')}</span>
        </span>
      )}
    </button>
  )
}

/** Keeps clear of the dock and of the parts in the corners. */
function place({ bottom, end }: Corner, isPhone: boolean, isSideways: boolean): string {
  const side = end
    ? isSideways
      ? 'end-24'
      : isPhone
        ? 'end-3'
        : 'end-5'
    : isPhone
      ? 'start-3'
      : 'start-5'
  if (bottom)
    return cx(
      side,
      isSideways ? 'bottom-3' : isPhone ? 'bottom-[236px]' : 'bottom-5 max-xl:bottom-[116px]',
    )
  return cx(side, isSideways ? 'top-3' : isPhone ? (end ? 'top-3' : 'top-[140px]') : 'top-24')
}

function cornerAt(element: HTMLElement): Corner {
  const own = element.getBoundingClientRect()
  const stage = element.offsetParent!.getBoundingClientRect()
  const isRight = own.left + own.width / 2 > stage.left + stage.width / 2
  const isMirrored = getComputedStyle(element).direction === 'rtl'
  return {
    bottom: own.top + own.height / 2 > stage.top + stage.height / 2,
    end: isRight !== isMirrored,
  }
}
