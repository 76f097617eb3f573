import { Zoomable } from '@duet/ui'

interface EnlargeablePhotoProps {
  readonly src: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

/** A photo in the viewer, shown whole. A double press, the wheel or two fingers enlarge the photo. */
export function EnlargeablePhoto({ src, alt, width, height }: EnlargeablePhotoProps) {
  return (
    <Zoomable>
      <img
        src={src}
        alt={alt}
        width={width}
        height={height}
        draggable={false}
        className="max-h-full max-w-full rounded-field object-contain"
      />
    </Zoomable>
  )
}
