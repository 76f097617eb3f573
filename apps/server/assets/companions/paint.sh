#!/bin/sh
# Paints the pictures of the companions from the portraits beside this folder, and the sound of a room. Needs ffmpeg with
# libvpx and libopus. The results are committed, because an installation may have no ffmpeg.
set -eu
cd "$(dirname "$0")"
square="[0]split[a][b];
  [b]scale=1000:1250,crop=800:800:100:120,gblur=sigma=40[wide];
  [a]format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*min(1,min(X,W-1-X)/90)'[person];
  [wide][person]overlay=80:0,scale=1600:1600:flags=lanczos"
wave='sin(2*PI*on/70)'
move="zoompan=z='1.07+0.04*$wave':x='iw/2-iw/zoom/2+16*sin(2*PI*on/70+1)':y='(ih-ih/zoom)*0.6+20*sin(4*PI*on/70)':d=70:s=480x480:fps=10,
  eq=brightness='0.025*sin(4*PI*n/70)':eval=frame"
for portrait in ../people/*.webp; do
  ffmpeg -v error -y -i "$portrait" -an -c:v libvpx -deadline good -cpu-used 1 -crf 34 -qmin 14 -b:v 40k -g 9999 \
    -auto-alt-ref 0 -lag-in-frames 0 -map_metadata -1 -fflags +bitexact -filter_complex "$square,$move" \
    "$(basename "$portrait" .webp).ivf"
done
ffmpeg -v error -y -f lavfi -i "anoisesrc=color=brown:amplitude=0.05:seed=7:duration=6:sample_rate=48000" \
  -af 'lowpass=f=420,afade=t=in:d=0.4,afade=t=out:st=5.6:d=0.4' -ac 1 -c:a libopus -b:a 10k -frame_duration 60 -application audio \
  -map_metadata -1 -fflags +bitexact room.ogg
