import { useEffect, useState } from 'react'
import { useStore } from '../observable-store.ts'
import { shownGift } from './shown-gift.ts'

const RISES_MS = 2500

/** A gift that was given in this call rises over the picture, on both pages. */
export function RisingGift({ session_id }: { session_id: number }) {
  const gift = useStore(shownGift)
  const [risen, setRisen] = useState(gift)
  const isRising = gift !== null && gift !== risen && gift.session_id === session_id
  useEffect(() => {
    if (!isRising) return
    const timer = setTimeout(() => setRisen(gift), RISES_MS)
    return () => clearTimeout(timer)
  }, [isRising, gift])
  if (!isRising) return null
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-0 bottom-1/3 z-overlay flex flex-col items-center gap-3 motion-safe:animate-rise motion-safe:[animation-duration:2.5s]!"
    >
      <img src={gift.image} alt="" width={120} height={120} className="size-[120px]" />
      <span className="ui rounded-full bg-[rgb(24_17_15/.66)] px-4 py-2 text-text">
        {gift.text}
      </span>
    </p>
  )
}
