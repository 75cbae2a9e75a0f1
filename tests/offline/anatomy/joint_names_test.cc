#include "sinew/offline/anatomy/joint_names.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace sinew {
namespace {

// A skeleton from "name<parent" lines; a name alone is a root.
Skeleton Rig(const std::vector<std::string>& lines) {
  Skeleton skeleton;
  for (const std::string& line : lines) {
    const size_t mark = line.find('<');
    const int parent = mark == std::string::npos ? -1 : skeleton.Find(line.substr(mark + 1));
    skeleton.joints.push_back({.name = line.substr(0, mark), .parent = parent, .rest = {}});
  }
  return skeleton;
}

void ExpectNames(const std::vector<std::string>& lines, const std::map<std::string, std::string>& expected) {
  const Skeleton skeleton = Rig(lines);
  const std::vector<JointIdentity> identities = IdentifyJoints(skeleton);
  for (const auto& [name, canonical] : expected) {
    const int joint = skeleton.Find(name);
    ASSERT_GE(joint, 0) << name;
    EXPECT_EQ(CanonicalName(identities[joint]), canonical) << name;
  }
}

TEST(JointNames, AreSplitIntoWords) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(SplitName("mixamorig:LeftForeArm"), (Words{"mixamorig", "left", "fore", "arm"}));
  EXPECT_EQ(SplitName("DEF-f_index.01.L"), (Words{"def", "f", "index", "01", "l"}));
  EXPECT_EQ(SplitName("LHipJoint"), (Words{"l", "hip", "joint"}));
  EXPECT_EQ(SplitName("index-finger-tip"), (Words{"index", "finger", "tip"}));
  EXPECT_EQ(SplitName("thigh_l"), (Words{"thigh", "l"}));
  EXPECT_TRUE(SplitName("_:.").empty());
}

TEST(JointNames, Mixamo) {
  ExpectNames({"mixamorig1:Hips", "mixamorig1:Spine<mixamorig1:Hips", "mixamorig1:Spine1<mixamorig1:Spine",
               "mixamorig1:Spine2<mixamorig1:Spine1", "mixamorig1:Neck<mixamorig1:Spine2",
               "mixamorig1:Head<mixamorig1:Neck", "mixamorig1:HeadTop_End<mixamorig1:Head",
               "mixamorig1:LeftShoulder<mixamorig1:Spine2", "mixamorig1:LeftArm<mixamorig1:LeftShoulder",
               "mixamorig1:LeftForeArm<mixamorig1:LeftArm", "mixamorig1:LeftHand<mixamorig1:LeftForeArm",
               "mixamorig1:LeftHandIndex1<mixamorig1:LeftHand", "mixamorig1:LeftHandIndex4<mixamorig1:LeftHandIndex1",
               "mixamorig1:RightUpLeg<mixamorig1:Hips", "mixamorig1:RightLeg<mixamorig1:RightUpLeg",
               "mixamorig1:RightFoot<mixamorig1:RightLeg", "mixamorig1:RightToeBase<mixamorig1:RightFoot"},
              {{"mixamorig1:Hips", "pelvis"},
               {"mixamorig1:Spine", "spine1"},
               {"mixamorig1:Spine2", "spine3"},
               {"mixamorig1:HeadTop_End", "tip"},
               {"mixamorig1:LeftShoulder", "left_collar"},
               {"mixamorig1:LeftArm", "left_shoulder"},
               {"mixamorig1:LeftForeArm", "left_elbow"},
               {"mixamorig1:LeftHand", "left_wrist"},
               {"mixamorig1:LeftHandIndex1", "left_index1"},
               {"mixamorig1:LeftHandIndex4", "left_index_tip"},
               {"mixamorig1:RightUpLeg", "right_hip"},
               {"mixamorig1:RightLeg", "right_knee"},
               {"mixamorig1:RightFoot", "right_ankle"},
               {"mixamorig1:RightToeBase", "right_foot"}});
}

TEST(JointNames, Unreal) {
  ExpectNames(
      {"root", "pelvis<root", "spine_01<pelvis", "spine_02<spine_01", "neck_01<spine_02", "head<neck_01",
       "clavicle_l<spine_02", "upperarm_l<clavicle_l", "upperarm_twist_01_l<upperarm_l", "lowerarm_l<upperarm_l",
       "hand_l<lowerarm_l", "index_metacarpal_l<hand_l", "index_01_l<index_metacarpal_l", "thumb_01_l<hand_l",
       "thigh_r<pelvis", "calf_r<thigh_r", "foot_r<calf_r", "ball_r<foot_r", "ik_foot_r<root"},
      {{"root", "root"},
       {"pelvis", "pelvis"},
       {"spine_02", "spine2"},
       {"neck_01", "neck1"},
       {"clavicle_l", "left_collar"},
       {"upperarm_l", "left_shoulder"},
       {"upperarm_twist_01_l", "left_twist"},
       {"lowerarm_l", "left_elbow"},
       {"hand_l", "left_wrist"},
       {"index_metacarpal_l", "left_index_metacarpal"},
       {"index_01_l", "left_index1"},
       {"thumb_01_l", "left_thumb1"},
       {"thigh_r", "right_hip"},
       {"calf_r", "right_knee"},
       {"foot_r", "right_ankle"},
       {"ball_r", "right_foot"},
       {"ik_foot_r", ""}});
}

TEST(JointNames, RigifyNumbersItsSpineUpToTheSkull) {
  ExpectNames({"DEF-spine", "DEF-spine.001<DEF-spine", "DEF-spine.002<DEF-spine.001", "DEF-spine.003<DEF-spine.002",
               "DEF-spine.004<DEF-spine.003", "DEF-spine.005<DEF-spine.004", "DEF-spine.006<DEF-spine.005",
               "DEF-shoulder.L<DEF-spine.003", "DEF-upper_arm.L<DEF-shoulder.L", "DEF-forearm.L<DEF-upper_arm.L",
               "DEF-hand.L<DEF-forearm.L", "DEF-f_index.01.L<DEF-hand.L", "DEF-thigh.L<DEF-spine",
               "DEF-shin.L<DEF-thigh.L", "DEF-foot.L<DEF-shin.L", "DEF-toe.L<DEF-foot.L", "DEF-thigh.R<DEF-spine"},
              {{"DEF-spine", "pelvis"},
               {"DEF-spine.001", "spine1"},
               {"DEF-spine.003", "spine3"},
               {"DEF-spine.004", "neck1"},
               {"DEF-spine.006", "head"},
               {"DEF-shoulder.L", "left_collar"},
               {"DEF-upper_arm.L", "left_shoulder"},
               {"DEF-forearm.L", "left_elbow"},
               {"DEF-hand.L", "left_wrist"},
               {"DEF-f_index.01.L", "left_index1"},
               {"DEF-shin.L", "left_knee"},
               {"DEF-toe.L", "left_foot"}});
}

TEST(JointNames, Vrm) {
  ExpectNames(
      {"J_Bip_C_Hips", "J_Bip_C_Spine<J_Bip_C_Hips", "J_Bip_C_Chest<J_Bip_C_Spine", "J_Bip_C_UpperChest<J_Bip_C_Chest",
       "J_Bip_C_Neck<J_Bip_C_UpperChest", "J_Bip_C_Head<J_Bip_C_Neck", "J_Bip_L_Shoulder<J_Bip_C_UpperChest",
       "J_Bip_L_UpperArm<J_Bip_L_Shoulder", "J_Bip_L_LowerArm<J_Bip_L_UpperArm", "J_Bip_L_Hand<J_Bip_L_LowerArm",
       "leftThumbMetacarpal<J_Bip_L_Hand", "leftThumbProximal<leftThumbMetacarpal", "leftThumbDistal<leftThumbProximal",
       "leftIndexProximal<J_Bip_L_Hand", "leftIndexIntermediate<leftIndexProximal", "J_Bip_R_UpperLeg<J_Bip_C_Hips",
       "J_Bip_R_LowerLeg<J_Bip_R_UpperLeg", "J_Bip_R_Foot<J_Bip_R_LowerLeg", "J_Bip_R_ToeBase<J_Bip_R_Foot"},
      {{"J_Bip_C_Hips", "pelvis"},
       {"J_Bip_C_UpperChest", "spine3"},
       {"J_Bip_L_Shoulder", "left_collar"},
       {"J_Bip_L_UpperArm", "left_shoulder"},
       {"J_Bip_L_Hand", "left_wrist"},
       {"leftThumbMetacarpal", "left_thumb1"},
       {"leftThumbProximal", "left_thumb2"},
       {"leftThumbDistal", "left_thumb3"},
       {"leftIndexProximal", "left_index1"},
       {"leftIndexIntermediate", "left_index2"},
       {"J_Bip_R_UpperLeg", "right_hip"},
       {"J_Bip_R_LowerLeg", "right_knee"},
       {"J_Bip_R_ToeBase", "right_foot"}});
}

TEST(JointNames, SmplAndBiovisionMeanTheUpperArmByShoulder) {
  ExpectNames({"m_avg_Pelvis", "m_avg_L_Hip<m_avg_Pelvis", "m_avg_L_Knee<m_avg_L_Hip", "m_avg_L_Ankle<m_avg_L_Knee",
               "m_avg_L_Foot<m_avg_L_Ankle", "m_avg_Spine1<m_avg_Pelvis", "m_avg_L_Collar<m_avg_Spine1",
               "m_avg_L_Shoulder<m_avg_L_Collar", "m_avg_L_Elbow<m_avg_L_Shoulder", "m_avg_L_Wrist<m_avg_L_Elbow",
               "m_avg_L_Hand<m_avg_L_Wrist"},
              {{"m_avg_L_Hip", "left_hip"},
               {"m_avg_L_Foot", "left_foot"},
               {"m_avg_L_Shoulder", "left_shoulder"},
               {"m_avg_L_Collar", "left_collar"},
               {"m_avg_L_Hand", "left_hand"}});
  ExpectNames({"Hips", "LeftHip<Hips", "LeftKnee<LeftHip", "LeftAnkle<LeftKnee", "Chest<Hips", "LeftCollar<Chest",
               "LeftShoulder<LeftCollar", "LeftElbow<LeftShoulder", "LeftWrist<LeftElbow"},
              {{"LeftHip", "left_hip"}, {"LeftShoulder", "left_shoulder"}, {"LeftAnkle", "left_ankle"}});
}

TEST(JointNames, CmuBvh) {
  ExpectNames(
      {"Hips", "LHipJoint<Hips", "LeftUpLeg<LHipJoint", "LeftLeg<LeftUpLeg", "LeftFoot<LeftLeg", "LeftToeBase<LeftFoot",
       "LowerBack<Hips", "Spine<LowerBack", "Spine1<Spine", "Neck<Spine1", "Neck1<Neck", "Head<Neck1",
       "LeftShoulder<Spine1", "LeftArm<LeftShoulder", "LeftForeArm<LeftArm", "LeftHand<LeftForeArm"},
      {{"LHipJoint", ""},
       {"LeftUpLeg", "left_hip"},
       {"LeftLeg", "left_knee"},
       {"LowerBack", "spine1"},
       {"Spine1", "spine3"},
       {"Neck1", "neck2"},
       {"LeftShoulder", "left_collar"}});
  ExpectNames({"root", "lfemur<root", "ltibia<lfemur", "rfemur<root", "lhumerus<root", "lradius<lhumerus"},
              {{"root", "pelvis"}, {"lfemur", "left_hip"}, {"ltibia", "left_knee"}, {"lradius", "left_elbow"}});
}

TEST(JointNames, NumberedLimbsAreReadAlongTheChain) {
  ExpectNames({"Skeleton_torso_joint_1", "leg_joint_L_1<Skeleton_torso_joint_1", "leg_joint_L_2<leg_joint_L_1",
               "leg_joint_L_3<leg_joint_L_2", "leg_joint_L_5<leg_joint_L_3", "leg_joint_R_1<Skeleton_torso_joint_1",
               "torso_joint_3<Skeleton_torso_joint_1", "Skeleton_arm_joint_L__4_<torso_joint_3",
               "Skeleton_arm_joint_L__3_<Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__2_<Skeleton_arm_joint_L__3_",
               "Skeleton_neck_joint_1<torso_joint_3", "Skeleton_neck_joint_2<Skeleton_neck_joint_1"},
              {{"Skeleton_torso_joint_1", "pelvis"},
               {"torso_joint_3", "spine1"},
               {"leg_joint_L_5", "left_foot"},
               {"Skeleton_arm_joint_L__4_", "left_shoulder"},
               {"Skeleton_arm_joint_L__2_", "left_wrist"},
               {"Skeleton_neck_joint_2", "head"}});
}

TEST(JointNames, AHandWithoutHierarchyGetsOne) {
  const Skeleton hand = Rig({"index-finger-tip", "index-finger-phalanx-distal", "index-finger-phalanx-proximal",
                             "index-finger-metacarpal", "wrist"});
  const std::vector<int> parents = AnatomicalParents(hand, IdentifyJoints(hand));
  EXPECT_EQ(parents, (std::vector<int>{1, 2, 3, 4, -1}));
}

TEST(JointNames, CanonicalNamesMeanThemselves) {
  const Skeleton rig = Rig({"pelvis", "spine1<pelvis", "neck<spine1", "head<neck", "left_collar<spine1",
                            "left_shoulder<left_collar", "left_elbow<left_shoulder", "left_wrist<left_elbow",
                            "left_hand<left_wrist", "left_hip<pelvis", "left_knee<left_hip", "left_ankle<left_knee",
                            "left_foot<left_ankle", "left_thumb1<left_wrist", "left_pinky3<left_wrist"});
  const std::vector<JointIdentity> identities = IdentifyJoints(rig);
  for (int j = 0; j < rig.joint_count(); ++j) {
    const std::string& name = rig.joints[j].name;
    EXPECT_EQ(CanonicalName(identities[j]), name == "neck" ? "neck1" : name);
  }
}

}  // namespace
}  // namespace sinew
