/**
 * A surface on a live picture: as dark as glass, without a blur. A scene has at most four surfaces of glass, because the
 * browser blurs the picture below each of them again for every frame.
 */
export const ON_PICTURE = 'bg-[rgb(24_17_15/.66)]! shadow-[inset_0_0_0_1px_var(--hair-2)]'
