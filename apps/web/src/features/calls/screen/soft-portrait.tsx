import { useEffect, useRef } from 'react'

/** So few points that a face is light and colour only, scaled up by the browser without a filter. */
const POINTS = { width: 18, height: 24 }

/** A portrait out of focus that fills its container. */
export function SoftPortrait({ src }: { src: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const image = new Image()
    image.addEventListener('load', () => paint(canvas.current, image))
    image.src = src
    return () => {
      image.src = ''
    }
  }, [src])
  return (
    <>
      <canvas
        ref={canvas}
        {...POINTS}
        aria-hidden
        data-soft-portrait
        className="absolute inset-0 size-full object-cover"
      />
      <span aria-hidden className="absolute inset-0 bg-[rgb(15_11_10/.55)]" />
    </>
  )
}

/** Takes the middle of the picture, in the proportion of the canvas. */
function paint(canvas: HTMLCanvasElement | null, image: HTMLImageElement): void {
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return
  const scale = Math.min(image.naturalWidth / canvas.width, image.naturalHeight / canvas.height)
  const width = canvas.width * scale
  const height = canvas.height * scale
  const x = (image.naturalWidth - width) / 2
  const y = (image.naturalHeight - height) / 2
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height)
}
