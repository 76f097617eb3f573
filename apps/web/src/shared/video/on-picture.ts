/**
 * A surface on a live picture, as dark as glass but without a blur. The browser blurs the picture below a glass surface
 * again for every frame. So a scene has at most four glass surfaces.
 */
export const ON_PICTURE = 'bg-[rgb(24_17_15/.66)]! shadow-[inset_0_0_0_1px_var(--hair-2)]'
