#include "sinew/offline/pipeline/next_steps.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace sinew::pipeline {

std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
  const bool plain = word.find_first_not_of(kPlain) == std::string::npos;
  if (plain && !word.empty() && word[0] != '-') return word;
  // A name that begins with a dash would be read as an option.
  std::string quoted = word.starts_with('-') ? "'./" : "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void AddNextSteps(const NextSteps& steps, report::Page& page) {
  if (steps.folder.empty()) return;
  const std::string folder = ShellWord(steps.folder);
  const std::string file = ShellWord(std::filesystem::path(steps.folder).stem().string() + ".glb");
  page.Section("What to do next");
  page.Paragraph("Commands to copy; they are meant for the folder that this build's folder lies in.");
  std::vector<report::PageCommand> commands;
  commands.push_back(
      {"See it move in the browser, and switch between skinning and Sinew:", fmt::format("sinew view {}", folder)});
  commands.push_back({"Draw the joint where skinning is worst, as in the pictures above:",
                      fmt::format("sinew compare {} -o worst.png", folder)});
  if (steps.biped) {
    commands.push_back({"Draw any joint in any pose, whose true shape is simulated for it:",
                        fmt::format("sinew compare {} --pose left_elbow=120 --focus left_elbow -o elbow.png", folder)});
  }
  commands.push_back({"Take it to Blender or a game engine as one file, with the motion that it was judged by:",
                      fmt::format("sinew export {} -o {}", folder, file)});
  if (steps.training_poses > 0) {
    commands.push_back(
        {"If it is not near enough to the truth: learn from twice as many poses, which takes about twice as long and "
         "replaces this build:",
         fmt::format("sinew build -o {} --replace --set poses.training={}", folder, 2 * steps.training_poses)});
    commands.push_back(
        {"If you have motions that it will play: learn from them, too, with your file's name in place of walk.bvh; "
         "this "
         "also replaces this build:",
         fmt::format("sinew build -o {} --replace --set poses.learn_from=walk.bvh", folder)});
  }
  page.Commands(commands);
}

}  // namespace sinew::pipeline
